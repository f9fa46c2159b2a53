'use client'

import { useRef, useState } from 'react'
import { Icon } from '../ui/icon'
import { useClosing } from '../ui/menu'
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
  useClosing(details)
  const pick = (value: string, isOn: boolean) =>
    setPicked((before) =>
      kind === 'radio' ? [value] : isOn ? [...before, value] : before.filter((one) => one !== value),
    )
  const names = options.filter(({ value }) => picked.includes(value)).map((option) => option.name)
  const said = names.length === 0 ? none : names.length === 1 ? names[0] : `${names.length} picked`
  return (
    <div className={`grid gap-4 ${styles.field}`}>
      <span aria-hidden="true">{label}</span>
      <details ref={details} className={`bare-summary relative ${styles.pick}`}>
        <summary className="button">
          <span className="visually-hidden">{label}: </span>
          <span className={styles.said}>{said}</span>
          <Icon name="updown" />
        </summary>
        <div className={`floating grid gap-6 ${styles.list}`}>
          {options.length >= minSearched && <Search label={`Search ${searches}`} text={text} onText={setText} />}
          <div role="group" aria-label={label} className={`grid ${styles.options}`}>
            {options.map((option) => (
              <label
                key={option.value}
                hidden={!isFound(option, text)}
                // A single choice closes the list; arrow keys, whose clicks have no detail, go on choosing.
                onClick={({ detail }) => kind === 'radio' && detail > 0 && details.current?.removeAttribute('open')}
              >
                <input
                  className="rigid flush"
                  type={kind}
                  name={name}
                  value={option.value}
                  checked={picked.includes(option.value)}
                  onChange={(event) => pick(option.value, event.target.checked)}
                />
                <span>
                  {option.name}
                  {option.detail !== undefined && option.detail !== '' && (
                    <small className="block muted text-12">{option.detail}</small>
                  )}
                </span>
              </label>
            ))}
          </div>
          {!options.some((option) => isFound(option, text)) && <p className="muted">No matches.</p>}
        </div>
      </details>
    </div>
  )
}

/** Whether an option has every word of a search. */
function isFound({ name, detail = '' }: PickOption, text: string): boolean {
  const words = `${name} ${detail}`.toLowerCase()
  return text
    .toLowerCase()
    .split(' ')
    .every((word) => words.includes(word))
}

function Search({
  label,
  text,
  onText,
}: {
  readonly label: string
  readonly text: string
  onText(text: string): void
}) {
  return (
    <input
      className="input"
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => onText(event.target.value)}
      // Otherwise Enter would submit the form.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    />
  )
}
