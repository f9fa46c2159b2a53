'use client'

import { useRouter } from 'next/navigation'
import {
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { barEnds, type Plot } from './model'
import styles from './plot.module.css'
import { headingAt, readPanel } from './readings'
import { place } from './scale'

/** Positions of the cursors of a page, by the link of their plots. */
const shared = new Map<string, number | null>()
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Position on the x axis of a plot's cursor, and of all that are linked with it; null: none. */
function useCursor(link: string | undefined): readonly [x: number | null, set: (x: number | null) => void] {
  const own = useId()
  const key = link ?? own
  const x = useSyncExternalStore(
    subscribe,
    () => shared.get(key) ?? null,
    () => null,
  )
  const set = (next: number | null) => {
    if ((shared.get(key) ?? null) === next) return
    shared.set(key, next)
    for (const listener of listeners) listener()
  }
  return [x, set]
}

/** Positions that a plot's cursor can take, rising: its places; without any, the bars. */
export function stopsOf(plot: Plot): readonly number[] {
  if (plot.places.length > 0) return plot.places
  const bars = plot.panels.flatMap(({ marks }) => marks.filter((mark) => mark.kind === 'bars'))
  const stops = bars.flatMap((mark) => {
    const ends = barEnds(mark)
    return mark.look === 'outline'
      ? [...mark.from, ...ends]
      : mark.from.map((from, at) => (from + (ends[at] ?? from)) / 2)
  })
  return [...new Set(stops)].sort((a, b) => a - b)
}

/** The event that a plot sends up the page when a place of it is picked; its detail is the time, ms since 1970. */
export const placePicked = 'plot-place-picked'

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }

interface Props {
  readonly plot: Plot
  /**
   * Address of the page without the part that is drawn, with `?` or `&` at its end: dragging, or Shift with the arrow
   * keys and Enter, draws only a part. Absent: nothing can be chosen.
   */
  readonly zoomBase?: string | undefined
  /** A click beside what opens, and the key A, report the time to the page (`placePicked`). Absent: they do nothing. */
  readonly picksPlaces?: boolean | undefined
  /** The drawing, given the overlay of each panel and the position of the cursor. */
  readonly children: (over: ReactNode, x: number | null) => ReactNode
}

/**
 * The cursor of a plot: under the pointer, a finger or the arrow keys (Page keys step by ten, Home and End go to the
 * ends, Escape lets go, Enter opens the first reading), with the value of every series there.
 */
export function Cursor({ zoomBase, ...props }: Props) {
  return zoomBase === undefined ? (
    <FreeCursor {...props} open={null} />
  ) : (
    <ZoomingCursor {...props} zoomBase={zoomBase} />
  )
}

function ZoomingCursor({ zoomBase, ...props }: Props) {
  const router = useRouter()
  const open = (from: string, to: string) =>
    router.push(`${zoomBase}${new URLSearchParams({ from, to })}`, { scroll: false })
  return <FreeCursor {...props} open={open} />
}

interface FreeProps extends Omit<Props, 'zoomBase'> {
  /** Draws the part between two times, both included; null: nothing can be chosen. */
  readonly open: ((from: string, to: string) => void) | null
}

function FreeCursor({ plot, open, picksPlaces = false, children }: FreeProps) {
  const frame = useRef<HTMLDivElement>(null)
  const stops = useMemo(() => stopsOf(plot), [plot])
  const [x, setX] = useCursor(plot.link)
  const [anchor, setAnchor] = useState<number | null>(null)
  const isIn = x !== null && x >= (stops[0] ?? Infinity) && x <= (stops.at(-1) ?? -Infinity)
  const shareOf = (value: number) => place(value, plot.x.domain, plot.x.scale)
  const rows = isIn ? plot.panels.flatMap((panel) => readPanel(plot, panel, x)) : []
  const opens = plot.panels.some(({ marks }) =>
    marks.some((mark) => mark.kind === 'line' && mark.hrefs?.some((href) => href !== '')),
  )

  const stopAt = (event: PointerEvent): number | null => {
    const cell = event.target instanceof Element ? event.target.closest('[data-cell]') : null
    const rect = (cell ?? frame.current)?.querySelector('[data-plot-area]')?.getBoundingClientRect()
    return rect ? nearest(stops.map(shareOf), (event.clientX - rect.left) / Math.max(1, rect.width)) : null
  }
  const moveTo = (stop: number | null) => setX(stop === null ? null : (stops[stop] ?? null))
  const letGo = () => {
    setX(null)
    setAnchor(null)
  }
  /** Draws the part between two stops, both included. */
  const zoom = (one: number, other: number) => {
    const { heading } = plot
    const [low, high] = [stops[Math.min(one, other)], stops[Math.max(one, other)]]
    if (heading?.kind === 'elapsed' && low !== undefined && high !== undefined) {
      letGo()
      return open?.(String(low - heading.binMs / 2), String(high + heading.binMs / 2))
    }
    const ends = [Math.min(one, other), Math.max(one, other)].map(
      (stop) => heading?.kind === 'times' && heading.times[stop],
    )
    const [from, to] = ends.map((ms) => (typeof ms === 'number' ? new Date(ms).toISOString() : null))
    letGo()
    if (from && to) open?.(from, to)
  }
  const pick = (stop: number | null) => {
    const ms = plot.heading?.kind === 'times' && stop !== null ? plot.heading.times[stop] : undefined
    if (!picksPlaces || ms === undefined) return
    frame.current?.dispatchEvent(new CustomEvent(placePicked, { bubbles: true, detail: ms }))
  }
  const onPointerDown = (event: PointerEvent) => {
    moveTo(stopAt(event))
    if (open !== null && event.pointerType !== 'touch' && event.button === 0) setAnchor(stopAt(event))
  }
  const onPointerUp = (event: PointerEvent) => {
    const stop = stopAt(event)
    if (anchor !== null && stop !== null && stop !== anchor) return zoom(anchor, stop)
    setAnchor(null)
    const isLink = event.target instanceof Element && event.target.closest('a') !== null
    if (anchor !== null && !isLink) pick(stop)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const now = isIn ? nearest(stops, x) : null
    const step = steps[event.key]
    const end = event.key === 'Home' ? 0 : event.key === 'End' ? stops.length - 1 : null
    if (event.key === 'Escape') letGo()
    if (step !== undefined || end !== null) {
      event.preventDefault()
      setAnchor((before) => (event.shiftKey && open !== null ? (before ?? now) : null))
      const next = end ?? (now ?? ((step ?? 0) > 0 ? -1 : stops.length)) + (step ?? 0)
      moveTo(Math.min(stops.length - 1, Math.max(0, next)))
    }
    if (event.key === 'a' && !event.metaKey && !event.ctrlKey && !event.altKey) pick(now)
    if (event.key !== 'Enter' || event.target !== frame.current || now === null) return
    const href = rows[0]?.href ?? null
    if (anchor !== null && anchor !== now) zoom(anchor, now)
    else if (href !== null) window.location.assign(href)
  }

  const start = anchor === null ? null : (stops[anchor] ?? null)
  const left = (value: number) => `${shareOf(value) * 100}%`
  const over = isIn && (
    <>
      {start !== null && start !== x && (
        <div
          className={styles.stretch}
          style={{ left: left(Math.min(x, start)), right: `calc(100% - ${left(Math.max(x, start))})` }}
        />
      )}
      <div className={styles.cursor} style={{ left: left(x) }} />
    </>
  )
  const hasCells = plot.panels.some((panel) => panel.cell !== undefined)
  return (
    <div
      ref={frame}
      className={`${styles.hover} ${open === null ? '' : styles.zoomable} ${hasCells ? styles.cells : ''}`}
      role="application"
      tabIndex={0}
      aria-label={`${plot.title}: arrow keys read the values${opens ? ', Enter opens the run' : ''}${picksPlaces ? ', A adds an event there' : ''}${open === null ? '' : '; Shift with arrow keys selects a range, Enter zooms in'}`}
      onPointerMove={(event) => moveTo(stopAt(event))}
      onPointerDown={onPointerDown}
      onPointerUp={onPointerUp}
      // What a finger selected stays when it is lifted.
      onPointerLeave={(event) => event.pointerType !== 'touch' && letGo()}
      onKeyDown={onKeyDown}
      onBlur={letGo}
    >
      {children(over, isIn ? x : null)}
      {isIn && rows.length > 0 && !hasCells && (
        <div className={styles.readout} data-side={shareOf(x) > 0.5 ? 'left' : 'right'} aria-live="polite">
          <strong>{headingAt(plot, x)}</strong>
          <dl>
            {rows.map(({ name, color, text, note }) => (
              <Value key={`${name} ${color}`} {...{ name, color, text, note }} />
            ))}
          </dl>
        </div>
      )}
    </div>
  )
}

function Value({ name, color, text, note }: { name: string; color: string; text: string; note: string }) {
  return (
    <>
      <dt>
        <span className={styles.swatch} style={{ background: color }} />
        {name}
        {note !== '' && <span className="muted"> {note}</span>}
      </dt>
      <dd>{text}</dd>
    </>
  )
}

/** The position of the number in `all` that is nearest to `wanted`. */
function nearest(all: readonly number[], wanted: number): number {
  let best = 0
  all.forEach((one, at) => {
    if (Math.abs(one - wanted) < Math.abs((all[best] ?? 0) - wanted)) best = at
  })
  return best
}
