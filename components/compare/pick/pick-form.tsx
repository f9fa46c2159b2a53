'use client'

import { useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import styles from './pick-runs.module.css'

const never = () => () => undefined

interface Props {
  /** Sides that runs are added to. */
  readonly sides: number
  readonly most: number
  /** Runs that are ticked as it opens. */
  readonly initial: number
  readonly children: ReactNode
}

/**
 * The form around the list: the first one ticked becomes the base, and the button counts. Without scripts it is sent as
 * it is.
 */
export function PickForm({ sides, most, initial, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [count, setCount] = useState(initial)
  const follow = () => {
    const all = [...(form.current?.querySelectorAll<HTMLInputElement>('input[name=run]') ?? [])]
    const ticked = all.filter((box) => box.checked)
    const baseOf = (box: HTMLInputElement) =>
      form.current?.querySelector<HTMLInputElement>(`input[name=base][value="${CSS.escape(box.value)}"]`)
    for (const box of all) {
      const radio = baseOf(box)
      if (radio?.checked && !box.checked) radio.checked = false
    }
    const [first] = ticked
    const base = first && !ticked.some((box) => baseOf(box)?.checked) ? baseOf(first) : null
    if (base) base.checked = true
    setCount(ticked.length)
  }
  // Before scripts run, and without them, nothing is counted: the button is as the server sent it.
  const isLive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const total = sides + count
  const isEnough = total >= 2 && count >= 1 && total <= most
  return (
    <form ref={form} method="get" className={`grid ${styles.pick}`} onChange={follow}>
      {children}
      <div className={`row gap-12 text-13 ${styles.foot}`}>
        <button
          type="submit"
          className="button button-primary"
          data-command="Compare the chosen runs"
          aria-disabled={isEnough || !isLive ? undefined : true}
          onClick={(event) => isEnough || event.preventDefault()}
        >
          {total >= 2 ? `Compare ${total} ${sides > 0 ? 'sides' : 'runs'}` : 'Compare'}
        </button>
        <span className="muted" role="status">
          {total > most ? `At most ${most}: clear ${total - most}` : ''}
        </span>
      </div>
    </form>
  )
}
