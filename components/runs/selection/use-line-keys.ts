import { useEffect, useRef, type MouseEvent } from 'react'
import { isField } from '../../ui/is-field'
import type { Selection } from './use-selection'

/** J and K move through the lines of a table, X selects, Shift selects a range, as with the mouse. */
export function useLineKeys({ boxes, select }: Pick<Selection, 'boxes' | 'select'>): {
  onClick(event: MouseEvent): void
} {
  /** Value of the last box set: a range begins there. */
  const anchor = useRef<string | null>(null)
  /** Sets all boxes from the last one set to this one. */
  const selectTo = (box: HTMLInputElement, checked: boolean) => {
    const every = boxes()
    const [from, to] = [every.findIndex(({ value }) => value === anchor.current), every.indexOf(box)]
    select(from < 0 ? [box] : every.slice(Math.min(from, to), Math.max(from, to) + 1), checked)
  }
  const onClick = ({ target, shiftKey }: MouseEvent) => {
    if (!(target instanceof HTMLInputElement) || !boxes().includes(target)) return
    if (shiftKey) selectTo(target, target.checked)
    anchor.current = target.value
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return
      if (isField(event.target) || document.querySelector('dialog:modal') !== null) return
      const every = boxes()
      const at = every.findIndex((box) => box.closest('tr')?.contains(document.activeElement))
      const key = event.key.toLowerCase()
      if (key === 'j' || key === 'k') {
        const next = at < 0 ? 0 : Math.min(every.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)))
        const line = every[next]?.closest('tr')
        line?.querySelector('a')?.focus()
        line?.scrollIntoView({ block: 'nearest' })
        event.preventDefault()
      }
      const box = every[at]
      if (key !== 'x' || !box) return
      event.preventDefault()
      if (event.shiftKey) selectTo(box, true)
      else select([box], !box.checked)
      anchor.current = box.value
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  return { onClick }
}
