'use client'

import { useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icon'
import styles from './pick-list.module.css'

/** An option to pick. */
export interface PickOption {
  readonly value: string
  readonly name: string
  /** Shown beside it; absent or empty: nothing. */
  readonly detail?: string
}

/** Fewer options need no search. */
const minSearched = 8

interface Props {
  /** The field of the form. */
  readonly name: string
  readonly label: string
  /** One, or any number. */
  readonly kind: 'radio' | 'checkbox'
  readonly options: readonly PickOption[]
  readonly chosen: readonly string[]
  /** Shown while none is picked; absent: one always is. */
  readonly none?: string
  /** What the search of a long list matches, in a word or two. */
  readonly searches: string
}

/**
 * A list to pick from, behind a chip that shows what is picked; a search narrows it. A disclosure of boxes: it works
 * without scripts.
 */
export function PickList({ name, label, kind, options, chosen, none = '', searches }: Props) {
  const details = useRef<HTMLDetailsElement>(null)
  const [picked, setPicked] = useState<readonly string[]>(chosen)
  const [text, setText] = useState('')
  useEffect(() => {
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return
      const isInside = event.target instanceof Node && details.current?.contains(event.target) === true
      if (event instanceof KeyboardEvent ? !isInside || details.current?.open !== true : isInside) return
      details.current?.removeAttribute('open')
      if (event instanceof KeyboardEvent) details.current?.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', close)
    }
  }, [])
  const pick = (value: string, isOn: boolean) =>
    setPicked((before) =>
      kind === 'radio' ? [value] : isOn ? [...before, value] : before.filter((one) => one !== value),
    )
  const wanted = text.toLowerCase().split(' ').filter(Boolean)
  const isFound = (option: PickOption) => {
    const words = `${option.name} ${option.detail ?? ''}`.toLowerCase()
    return wanted.every((word) => words.includes(word))
  }
  const names = options.filter(({ value }) => picked.includes(value)).map((option) => option.name)
  const said = names.length === 0 ? none : names.length === 1 ? names[0] : `${names.length} picked`
  return (
    <div className={styles.field}>
      <span aria-hidden="true">{label}</span>
      <details ref={details} className={styles.pick}>
        <summary className="button">
          <span className="visually-hidden">{label}: </span>
          <span className={styles.said}>{said}</span>
          <Icon name="updown" />
        </summary>
        <div className={styles.list}>
          {options.length >= minSearched && (
            <input
              className="input"
              type="search"
              aria-label={`Search ${searches}`}
              placeholder={`Search ${searches}`}
              value={text}
              onChange={(event) => setText(event.target.value)}
              // Otherwise Enter would submit the form.
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            />
          )}
          <div role="group" aria-label={label} className={styles.options}>
            {options.map((option) => (
              <label
                key={option.value}
                hidden={!isFound(option)}
                // A single choice closes the list; arrow keys, whose clicks have no detail, go on choosing.
                onClick={({ detail }) => kind === 'radio' && detail > 0 && details.current?.removeAttribute('open')}
              >
                <input
                  type={kind}
                  name={name}
                  value={option.value}
                  checked={picked.includes(option.value)}
                  onChange={(event) => pick(option.value, event.target.checked)}
                />
                <span>
                  {option.name}
                  {option.detail !== undefined && option.detail !== '' && <small>{option.detail}</small>}
                </span>
              </label>
            ))}
          </div>
          {!options.some(isFound) && <p className="muted">No matches.</p>}
        </div>
      </details>
    </div>
  )
}
