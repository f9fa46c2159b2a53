'use client'

import { useEffect, useId, useLayoutEffect, useRef, useState, type InputHTMLAttributes } from 'react'
import { Icon } from './icon'
import styles from './combobox.module.css'

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
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  // The initial value does not filter the options.
  const [isTyped, setIsTyped] = useState(false)
  const [active, setActive] = useState(-1)
  const text = value.trim()
  const found = isTyped ? options.filter((one) => one.value.toLowerCase().includes(text.toLowerCase())) : options
  const known = found.slice(0, maxShown)
  const isNew = text !== '' && !options.some((one) => one.value === text)
  const values = [...known.map((one) => one.value), ...(isNew ? [text] : [])]
  const isShown = isOpen && values.length > 0

  const open = () => {
    setIsOpen(true)
    setIsTyped(false)
    setActive(-1)
  }
  const choose = (chosen: string) => {
    if (chosen !== value) onChange(chosen)
    setIsOpen(false)
  }
  const move = (by: 1 | -1) => {
    if (!isShown) return open()
    const from = active === -1 && by === -1 ? 0 : active
    setActive((from + by + values.length) % values.length)
  }
  const steer = (event: React.KeyboardEvent<HTMLInputElement>) => {
    const chosen = values[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key === 'Escape' && isShown) setIsOpen(false)
    else if (event.key === 'Enter' && isShown && chosen !== undefined && !event.ctrlKey && !event.metaKey)
      choose(chosen)
    else return onKeyDown?.(event)
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      <input
        {...field}
        ref={input}
        className={`input ${className}`}
        value={value}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
        onChange={(event) => {
          onChange(event.target.value)
          setIsOpen(true)
          setIsTyped(true)
          setActive(-1)
        }}
        onClick={() => !isShown && open()}
        onKeyDown={steer}
        onBlur={(event) => {
          setIsOpen(false)
          onBlur?.(event)
        }}
      />
      {isShown && (
        <Options
          id={listId}
          noun={noun}
          field={input}
          active={active}
          known={known}
          added={isNew ? text : null}
          choose={choose}
        />
      )}
    </>
  )
}

interface OptionsProps {
  readonly id: string
  readonly noun: string
  /** The field above the list. */
  readonly field: React.RefObject<HTMLInputElement | null>
  readonly active: number
  readonly known: readonly ComboboxOption[]
  /** A value that is not among them; null: there is none. */
  readonly added: string | null
  choose(value: string): void
}

/** The list, on top of the page: no scrolling container may cut it off. */
function Options({ id, noun, field, active, known, added, choose }: OptionsProps) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    list.current?.showPopover()
    const place = () => {
      if (list.current && field.current) placeBelow(list.current, field.current.getBoundingClientRect())
    }
    place()
    window.addEventListener('scroll', place, { capture: true, passive: true })
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place, { capture: true })
      window.removeEventListener('resize', place)
    }
  }, [field])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const option = (at: number, value: string) => ({
    id: `${id}-${at}`,
    role: 'option',
    'aria-selected': at === active,
    // The field keeps the focus.
    onPointerDown: (event: React.PointerEvent) => event.preventDefault(),
    onMouseDown: (event: React.MouseEvent) => event.preventDefault(),
    onClick: () => choose(value),
  })
  return (
    <ul ref={list} id={id} popover="manual" role="listbox" aria-label="Known names" className={styles.list}>
      {known.map(({ value, note }, at) => (
        <li key={value} {...option(at, value)}>
          <span className={styles.value}>{value}</span> <span className={styles.note}>{note}</span>
        </li>
      ))}
      {added !== null && (
        <li {...option(known.length, added)} data-new={known.length > 0 ? '' : undefined}>
          <Icon name="plus" />
          <span className={styles.value}>
            New {noun} “{added}”
          </span>
        </li>
      )}
    </ul>
  )
}

const gapPx = 4
const edgePx = 8

/** Puts the list below its field, or above if there is more room. */
function placeBelow(list: HTMLElement, { left, top, bottom, width }: DOMRect): void {
  const below = window.innerHeight - bottom - gapPx - edgePx
  const above = top - gapPx - edgePx
  const isBelow = below >= Math.min(list.scrollHeight, 200) || below >= above
  list.style.minWidth = `${Math.max(width, 200)}px`
  list.style.maxHeight = `${Math.min(320, isBelow ? below : above)}px`
  const { offsetWidth, offsetHeight } = list
  list.style.left = `${Math.max(edgePx, Math.min(left, window.innerWidth - offsetWidth - edgePx))}px`
  list.style.top = `${isBelow ? bottom + gapPx : top - gapPx - offsetHeight}px`
}
