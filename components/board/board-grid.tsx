'use client'

import { Fragment, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { ShownFan } from './board-fan'
import styles from './board.module.css'
import { FanBox } from './fan-box'

interface Props {
  /** Where the fan of a series is fetched, without its id; null: all are in `fans`. */
  readonly fansPath: string | null
  readonly query: string
  readonly caption: string
  /** Above and below the table, beside the fan. */
  readonly above: ReactNode
  readonly below: ReactNode
  readonly head: ReactNode
  /** In order; the server draws the cells of each. */
  readonly rows: readonly { readonly id: string; readonly cells: ReactNode }[]
  /** The fan that is shown first; null: no row has one. */
  readonly fan: ShownFan | null
  /** Other fans that are already loaded; absent: none. */
  readonly fans?: readonly ShownFan[]
  /** Shown in place of fans; absent or null: fans are shown. */
  readonly aside?: ReactNode
  /** Number of columns of the table; absent: five. */
  readonly columns?: number
}

/** A pointer that only passes over a row triggers no request. */
const hoverMs = 90

/**
 * The rows of the board, and the fan of the one under the pointer or with the focus: beside them, or on a phone below its
 * row. Arrows move from row to row. Without JavaScript the strip of a row is a link to the page with its fan.
 */
export function BoardGrid({
  fansPath,
  query,
  caption,
  above,
  below,
  head,
  rows,
  fan: first,
  fans = [],
  aside = null,
  columns = 5,
}: Props) {
  const [fan, setFan] = useState(first)
  const cached = useRef(new Map([...fans, ...(first === null ? [] : [first])].map((one) => [one.seriesId, one])))
  const wanted = useRef(first?.seriesId ?? null)
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])

  const show = async (id: string): Promise<void> => {
    window.clearTimeout(timer.current)
    wanted.current = id
    const known = cached.current.get(id)
    if (known) {
      setFan(known)
      return
    }
    if (fansPath === null) return
    const response = await fetch(`${fansPath}${id}/fan${query}`, { headers: { accept: 'application/json' } }).catch(
      () => null,
    )
    if (response?.ok !== true) return
    const loaded: ShownFan = await response.json()
    cached.current.set(id, loaded)
    if (wanted.current === id) setFan(loaded)
  }
  const soon = (id: string) => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => void show(id), hoverMs)
  }
  const onClick = (event: MouseEvent, id: string) => {
    const { target } = event
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    const link = target.closest('a')
    if (link !== null && link.dataset['fan'] === undefined) return
    event.preventDefault()
    void show(id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return
    const all = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('tr[data-series]') ?? [])]
    const next = all[all.indexOf(event.currentTarget) + step]
    if (!next) return
    event.preventDefault()
    next.querySelector<HTMLElement>('a')?.focus()
  }
  return (
    <div className={styles.grid}>
      <div>
        {above}
        <table className={styles.board}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>{head}</thead>
          <tbody>
            {rows.map(({ id, cells }) => (
              <Fragment key={id}>
                <tr
                  data-series={id}
                  data-on={fan?.seriesId === id ? '' : undefined}
                  onPointerEnter={(event) => event.pointerType === 'mouse' && soon(id)}
                  onPointerLeave={() => window.clearTimeout(timer.current)}
                  onFocus={() => void show(id)}
                  onClick={(event) => onClick(event, id)}
                  onKeyDown={onKeyDown}
                >
                  {cells}
                </tr>
                {fan?.seriesId === id && (
                  <tr className={styles.fanRow}>
                    <td colSpan={columns}>
                      <FanBox fan={fan} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
        {below}
      </div>
      <div className={styles.side}>{aside ?? (fan === null ? null : <FanBox key={fan.seriesId} fan={fan} />)}</div>
    </div>
  )
}
