'use client'

import { useRef, useState, type InputHTMLAttributes, type KeyboardEvent } from 'react'
import { Icon } from '../ui/icon'
import { listStep } from './list-keys'
import { OptionList, useOptionList } from './option-list'

/** A value to choose, and the note beside it. */
export interface ComboboxOption {
  readonly value: string
  readonly note: string
}

type FieldProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'id'
  | 'aria-label'
  | 'aria-describedby'
  | 'className'
  | 'placeholder'
  | 'maxLength'
  | 'required'
  | 'onKeyDown'
  | 'onBlur'
>

interface Props extends FieldProps {
  readonly value: string
  /** Known values, the most likely first. */
  readonly options: readonly ComboboxOption[]
  /** The kind of value: `variant`; an unknown one is new. */
  readonly noun: string
  onChange(value: string): void
}

/** Shown at once; typing narrows them. */
const maxShown = 50

/**
 * A text field that offers known values first: any other text is a new value. Without JavaScript, a plain text field.
 */
export function Combobox({ value, options, noun, onChange, onKeyDown, onBlur, className = '', ...field }: Props) {
  const input = useRef<HTMLInputElement>(null)
  // The initial value does not filter the options.
  const [isTyped, setIsTyped] = useState(false)
  const { known, added } = offeredValues(options, value.trim(), isTyped)
  const values = [...known.map((one) => one.value), ...(added === null ? [] : [added])]
  const { isShown, active, open, close, take, aria, list } = useOptionList(values.length, (at) => {
    const chosen = values[at]
    if (chosen !== undefined && chosen !== value) onChange(chosen)
  })
  const openAll = () => {
    setIsTyped(false)
    open(-1)
  }
  const steer = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = listStep(event, { isShown, active, count: values.length })
    if (step === null) return onKeyDown?.(event)
    if (step === 'open') openAll()
    else take(step, -1)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <input
        {...field}
        {...aria}
        ref={input}
        className={`input ${className}`}
        value={value}
        autoComplete="off"
        aria-autocomplete="list"
        onChange={(event) => {
          onChange(event.target.value)
          setIsTyped(true)
          open(-1)
        }}
        onClick={() => !isShown && openAll()}
        onKeyDown={steer}
        onBlur={(event) => {
          close()
          onBlur?.(event)
        }}
      />
      {isShown && <OptionList {...list} label="Known names" field={input} options={listed(known, added, noun)} />}
    </>
  )
}

/** The known values that the text finds, and the text itself if it is a new one (else null). */
function offeredValues(options: readonly ComboboxOption[], text: string, isTyped: boolean) {
  const found = isTyped ? options.filter(({ value }) => value.toLowerCase().includes(text.toLowerCase())) : options
  const isNew = text !== '' && !options.some(({ value }) => value === text)
  return { known: found.slice(0, maxShown), added: isNew ? text : null }
}

function listed(known: readonly ComboboxOption[], added: string | null, noun: string) {
  const options = known.map(({ value, note }) => ({
    key: value,
    content: (
      <>
        <span className="break">{value}</span> <span className="muted text-12 nowrap push">{note}</span>
      </>
    ),
  }))
  if (added === null) return options
  const content = (
    <>
      <Icon name="plus" />
      <span className="break">
        New {noun} “{added}”
      </span>
    </>
  )
  return [...options, { key: `new ${added}`, content, isApart: known.length > 0 }]
}
