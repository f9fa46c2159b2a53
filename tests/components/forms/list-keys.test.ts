import { describe, expect, it } from 'vitest'
import { choiceStep, isCharacter, listStep, typedPlace } from '@/components/forms/list-keys'

const pressed = (key: string, held: 'ctrlKey' | 'none' = 'none') => ({
  key,
  ctrlKey: held === 'ctrlKey',
  metaKey: false,
  altKey: false,
})
const open = (active: number) => ({ isShown: true, active, count: 3 })
const closed = { isShown: false, active: -1, count: 3 }

describe('keys of a list of options', () => {
  it('opens by an arrow and goes round', () => {
    expect(listStep(pressed('ArrowDown'), closed)).toBe('open')
    expect(listStep(pressed('ArrowDown'), open(-1))).toEqual({ goTo: 0 })
    expect(listStep(pressed('ArrowUp'), open(-1))).toEqual({ goTo: 2 })
    expect(listStep(pressed('ArrowDown'), open(2))).toEqual({ goTo: 0 })
    expect(listStep(pressed('ArrowUp'), open(0))).toEqual({ goTo: 2 })
  })

  it('leaves a text field its keys: Enter without a current option, Home, Space, Tab, and all while it is closed', () => {
    expect(listStep(pressed('Enter'), open(1))).toBe('choose')
    expect(listStep(pressed('Enter'), open(-1))).toBeNull()
    expect(listStep(pressed('Enter', 'ctrlKey'), open(1))).toBeNull()
    expect(listStep(pressed('Escape'), closed)).toBeNull()
    for (const key of ['Home', ' ', 'Tab']) expect(listStep(pressed(key), open(1))).toBeNull()
  })

  it('has more keys where nothing is typed', () => {
    for (const key of [' ', 'Enter']) {
      expect(choiceStep(pressed(key), closed)).toBe('open')
      expect(choiceStep(pressed(key), open(1))).toBe('choose')
    }
    expect(choiceStep(pressed('Tab'), open(1))).toBe('choose')
    expect(choiceStep(pressed('Tab'), closed)).toBeNull()
    expect(choiceStep(pressed('End'), open(1))).toEqual({ goTo: 2 })
    expect(choiceStep(pressed('Escape'), open(1))).toBe('close')
  })

  it('finds an option by its first letters, and the next one by the same letter again', () => {
    const names = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds']
    expect(typedPlace(names, 'm', 0)).toBe(1)
    expect(typedPlace(names, 'mi', 1)).toBe(1)
    expect(typedPlace(names, 'mic', 1)).toBe(2)
    expect(typedPlace(names, 'mm', 1)).toBe(2)
    expect(typedPlace(names, 'mmm', 2)).toBe(1)
    expect(typedPlace(names, 'x', 0)).toBe(-1)
    expect([isCharacter(pressed('M')), isCharacter(pressed('m', 'ctrlKey')), isCharacter(pressed('F1'))]).toEqual([
      true,
      false,
      false,
    ])
  })
})
