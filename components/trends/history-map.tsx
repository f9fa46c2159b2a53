'use client'

import { useRouter } from 'next/navigation'
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { frames } from '@/components/charts/plot/model'
import { unpack, type Packed } from '@/components/charts/plot/sent/unpack'
import type { TrendOrder } from '@/components/charts/trend'
import { formatDay } from '@/lib/format'
import styles from './history-map.module.css'
import {
  nearestShare,
  sharesOf,
  spanAfterKey,
  spanAround,
  spanEndedAt,
  spanMoved,
  spanWithin,
  type Grip,
  type Span,
} from './history-span'

interface Props {
  /** When its runs began, ms since 1970, rising. */
  readonly sent: Packed<readonly number[]>
  readonly order: TrendOrder
  /** The part that the page shows, as its address has it; null: from the beginning, to the end. */
  readonly from: string | null
  readonly to: string | null
  /** Address of the page without the part, with `?` or `&` at its end. */
  readonly base: string
  /** The drawing of the whole history. */
  readonly children: ReactNode
}

/** The whole history with the part that the chart above shows: moved or resized by dragging and with the arrow keys. */
export function HistoryMap({ sent, order, base, children, ...part }: Props) {
  const times = useMemo(() => unpack(sent), [sent])
  const shares = useMemo(() => sharesOf(times, order), [times, order])
  const { span, move, keep } = usePart(times, part, base)
  const grips = useGrips(shares, span, move, keep)
  const last = times.length - 1
  const dayOf = (at: number) => formatDay(new Date(times[at] ?? 0).toISOString())
  const percent = (at: number) => `${(shares[at] ?? 0) * 100}%`
  const slider = (grip: Grip, label: string, [min, now, max]: readonly number[], text: string) => ({
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': min,
    'aria-valuenow': now,
    'aria-valuemax': max,
    'aria-valuetext': text,
    'data-grip': grip,
    onKeyDown: (event: KeyboardEvent) => {
      const next = spanAfterKey(span, grip, event.key, last)
      if (next === null) return
      event.preventDefault()
      move(next)
    },
    onKeyUp: () => keep(span, 'replace'),
  })
  const [from, to] = span
  const { left, right, top, bottom } = frames.map
  return (
    <div className={`relative ${styles.map}`} role="group" aria-label="Shown part of the history">
      <div aria-hidden="true">{children}</div>
      <div className={styles.track} style={{ inset: `${top}px ${right}px ${bottom}px ${left}px` }} {...grips}>
        <div
          className={styles.part}
          style={{ left: percent(from), right: `calc(100% - ${percent(to)})` }}
          {...slider('part', 'Shown part', [0, from, last - (to - from)], `${dayOf(from)} to ${dayOf(to)}`)}
        />
        <div
          className={styles.end}
          style={{ left: percent(from) }}
          {...slider('from', 'First shown', [0, from, to - 1], dayOf(from))}
        />
        <div
          className={styles.end}
          style={{ left: percent(to) }}
          {...slider('to', 'Last shown', [from + 1, to, last], dayOf(to))}
        />
      </div>
    </div>
  )
}

/** The part, as it is being moved: the address follows when it is let go. */
function usePart(times: readonly number[], { from, to }: Pick<Props, 'from' | 'to'>, base: string) {
  const router = useRouter()
  const of = `${from} ${to}`
  const [moved, setMoved] = useState<{ readonly of: string; readonly span: Span } | null>(null)
  const saved = spanWithin(times, from === null ? null : Date.parse(from), to === null ? null : Date.parse(to))
  const keep = ([first, end]: Span, how: 'push' | 'replace') => {
    if (first === saved[0] && end === saved[1]) return
    const isWhole = first === 0 && end === times.length - 1
    const [start, stop] = [first, end].map((at) => new Date(times[at] ?? 0).toISOString())
    const address = isWhole ? base.slice(0, -1) : `${base}${new URLSearchParams({ from: start ?? '', to: stop ?? '' })}`
    router[how](address, { scroll: false })
  }
  return { span: moved?.of === of ? moved.span : saved, move: (span: Span) => setMoved({ of, span }), keep }
}

interface Held {
  readonly grip: Grip | 'new'
  readonly at: number
  readonly span: Span
}

/** Dragging an end resizes the part, dragging the part moves it; while all is shown, dragging chooses a part. */
function useGrips(
  shares: readonly number[],
  span: Span,
  move: (span: Span) => void,
  keep: (span: Span, how: 'push') => void,
) {
  const held = useRef<Held | null>(null)
  const last = shares.length - 1
  const placeOf = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return nearestShare(shares, (clientX - left) / Math.max(1, width))
  }
  const spanAt = ({ grip, at, span: before }: Held, now: number): Span => {
    if (grip === 'part') return spanMoved(before, now - at, last)
    if (grip !== 'new') return spanEndedAt(before, grip, now, last)
    return now === at ? before : [Math.min(at, now), Math.max(at, now)]
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      const at = placeOf(event)
      const grip = event.target instanceof HTMLElement ? event.target.dataset['grip'] : undefined
      const isWhole = span[0] === 0 && span[1] === last
      event.currentTarget.setPointerCapture(event.pointerId)
      if (grip === 'from' || grip === 'to') held.current = { grip, at, span }
      else if (isWhole) held.current = { grip: 'new', at, span }
      else held.current = { grip: 'part', at, span: grip === 'part' ? span : spanAround(span, at, last) }
      move(held.current.span)
    },
    onPointerMove: (event: PointerEvent) => {
      if (held.current !== null) move(spanAt(held.current, placeOf(event)))
    },
    onPointerUp: (event: PointerEvent) => {
      if (held.current === null) return
      const next = spanAt(held.current, placeOf(event))
      held.current = null
      move(next)
      keep(next, 'push')
    },
    onPointerCancel: () => {
      if (held.current !== null) move(held.current.span)
      held.current = null
    },
  }
}
