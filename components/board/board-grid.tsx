'use client'

import { Fragment, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { ShownFan } from './board-fan'
import styles from './board.module.css'
import { StripTip } from '../charts/plot/rows/strip-tip'
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
 * The rows of the board, and the fan of the one under the pointer or with the focus: beside them, or on a phone below
 * its row. Arrows move from row to row. Without JavaScript the strip of a row is a link to the page with its fan.
 */
export function BoardGrid({ caption, above, below, head, rows, aside = null, columns = 5, ...source }: Props) {
  const { fan, show, showSoon, stay } = useFan(source)
  return (
    <div className={`grid ${styles.grid}`}>
      <StripTip />
      <div>
        {above}
        <table className={`plain-table ${styles.board}`}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>{head}</thead>
          <tbody>
            {rows.map(({ id, cells }) => (
              <Fragment key={id}>
                <tr
                  data-series={id}
                  data-on={fan?.seriesId === id ? '' : undefined}
                  onPointerEnter={(event) => event.pointerType === 'mouse' && showSoon(id)}
                  onPointerLeave={stay}
                  onFocus={() => show(id)}
                  onClick={(event) => {
                    if (leadsElsewhere(event)) return
                    event.preventDefault()
                    show(id)
                  }}
                  onKeyDown={moveFocus}
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
      <div className={`wide-only ${styles.side}`}>
        {aside ?? (fan === null ? null : <FanBox key={fan.seriesId} fan={fan} />)}
      </div>
    </div>
  )
}

/** The fan that is shown. `show` loads another one if it is not known; `stay` keeps it after `showSoon`. */
function useFan({ fansPath, query, fan: first, fans = [] }: Pick<Props, 'fansPath' | 'query' | 'fan' | 'fans'>) {
  const [fan, setFan] = useState(first)
  const known = useRef(new Map([...fans, ...(first === null ? [] : [first])].map((one) => [one.seriesId, one])))
  const wanted = useRef(first?.seriesId ?? null)
  const timer = useRef<number | undefined>(undefined)
  const stay = () => window.clearTimeout(timer.current)
  useEffect(() => () => window.clearTimeout(timer.current), [])

  const load = async (id: string): Promise<ShownFan | null> => {
    if (fansPath === null) return null
    const address = `${fansPath}${id}/fan${query}`
    const response = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => null)
    if (response?.ok !== true) return null
    const loaded: ShownFan = await response.json()
    known.current.set(id, loaded)
    return loaded
  }
  const show = (id: string) => {
    stay()
    wanted.current = id
    const found = known.current.get(id)
    if (found) setFan(found)
    // The pointer may be on another row by now.
    else void load(id).then((loaded) => loaded !== null && wanted.current === id && setFan(loaded))
  }
  const showSoon = (id: string) => {
    stay()
    timer.current = window.setTimeout(() => show(id), hoverMs)
  }
  return { fan, show, showSoon, stay }
}

/** A click on a link other than that of the fan, or one that opens a tab. */
function leadsElsewhere({ target, ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean {
  if (!(target instanceof Element) || ctrlKey || metaKey || shiftKey || button !== 0) return true
  const link = target.closest('a')
  return link !== null && link.dataset['fan'] === undefined
}

/** Up and down arrows go to the link of the neighbouring row. */
function moveFocus(event: KeyboardEvent<HTMLTableRowElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return
  const all = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('tr[data-series]') ?? [])]
  const next = all[all.indexOf(event.currentTarget) + step]
  if (!next) return
  event.preventDefault()
  next.querySelector<HTMLElement>('a')?.focus()
}
