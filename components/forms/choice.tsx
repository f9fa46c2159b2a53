'use client'

import { useEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent, type RefObject } from 'react'
import { Icon } from '../ui/icon'
import { choiceStep, isCharacter, typedPlace } from './list-keys'
import { OptionList, useOptionList } from './option-list'
import styles from './option-list.module.css'

export interface ChoiceOption<Value extends string = string> {
  readonly value: Value
  readonly name: string
  /** Shown, and why it cannot be chosen is in its name. */
  readonly isDisabled?: boolean
}

interface Props<Value extends string> {
  /** For screen readers: the same words as beside it. */
  readonly label: string
  /** The field of the form that it sets; absent: none. */
  readonly name?: string
  readonly options: readonly ChoiceOption<Value>[]
  /** The chosen value if the parent keeps it; otherwise `initial` is chosen until the user chooses. */
  readonly value?: Value
  /** Absent: the first option. */
  readonly initial?: Value
  onChange?(value: Value): void
}

/** One of a few values. `isPlain`: its form works without scripts, so until they run it is a native list. */
export function Choice<Value extends string>({
  isPlain = false,
  ...props
}: Props<Value> & { readonly isPlain?: boolean }) {
  const isScripted = useSyncExternalStore(
    noSubscription,
    () => true,
    () => !isPlain,
  )
  if (isScripted) return <OptionButton {...props} />
  return (
    <select name={props.name} className="select" aria-label={props.label} defaultValue={props.initial}>
      {props.options.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
}

const noSubscription = () => () => undefined

/** A button that opens the list of them (a combobox without text, as in the WAI-ARIA practices). */
function OptionButton<Value extends string>({ label, name, options, value, initial, onChange }: Props<Value>) {
  const button = useRef<HTMLButtonElement>(null)
  const find = useTyping(options)
  const first = initial ?? options[0]?.value
  const [own, setOwn] = useState(first)
  const shown = value ?? own
  const at = options.findIndex((option) => option.value === shown)
  const { isShown, active, open, close, take, aria, list } = useOptionList(options.length, (place) => {
    const option = options[place]
    if (option === undefined || option.isDisabled === true || option.value === shown) return
    setOwn(option.value)
    onChange?.(option.value)
  })
  useReset(button, () => setOwn(first))
  const hidden = useChangeEvent(shown)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCharacter(event)) open(find(event, isShown, isShown ? active : at))
    else {
      const step = choiceStep(event, { isShown, active, count: options.length })
      if (step === null) return
      take(step, Math.max(0, at))
      if (event.key === 'Tab') return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <button
        {...aria}
        ref={button}
        type="button"
        className={`select inline-row between gap-8 ${styles.opener}`}
        aria-label={label}
        aria-haspopup="listbox"
        onClick={() => (isShown ? close() : open(Math.max(0, at)))}
        onKeyDown={onKeyDown}
        // Some browsers click when Space is released.
        onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
        onBlur={close}
      >
        <span className={`truncate ${styles.chosen}`}>{options[at]?.name}</span>
        <Icon name="updown" />
      </button>
      {name !== undefined && <input ref={hidden} type="hidden" name={name} value={shown ?? ''} />}
      {isShown && (
        <OptionList
          {...list}
          label={label}
          field={button}
          options={options.map((option) => ({ ...option, key: option.value, content: option.name }))}
        />
      )}
    </>
  )
}

/** How long typed letters belong together. */
const typingMs = 700

/** The place of the option that typed letters look for; else the one it was at. */
function useTyping(options: readonly ChoiceOption[]) {
  const typed = useRef({ text: '', atMs: 0 })
  // A list that is closed is looked through anew.
  return ({ key, timeStamp }: KeyboardEvent, isShown: boolean, from: number): number => {
    const isNext = isShown && timeStamp - typed.current.atMs < typingMs
    typed.current = { text: isNext ? typed.current.text + key : key, atMs: timeStamp }
    const names = options.map(({ name }) => name)
    const found = typedPlace(names, typed.current.text, from)
    return Math.max(0, found === -1 ? from : found)
  }
}

/** Tells the form of a hidden field that its value changed, as any other field does. */
function useChangeEvent(value: string | undefined) {
  const field = useRef<HTMLInputElement>(null)
  const told = useRef(value)
  useEffect(() => {
    if (told.current === value) return
    told.current = value
    field.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [value])
  return field
}

/** Calls back when the form of a control is reset. */
function useReset(control: RefObject<HTMLButtonElement | null>, onReset: () => void): void {
  useEffect(() => {
    const form = control.current?.form
    form?.addEventListener('reset', onReset)
    return () => form?.removeEventListener('reset', onReset)
  })
}
