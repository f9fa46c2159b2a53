'use client'

import { useRouter } from 'next/navigation'
import {
  lazy,
  Suspense,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { draggedPart, pinchedPart, type Touch } from './gestures'
import { barEnds, type BoxChoice, type Panel, type Plot } from './model'
import styles from './plot.module.css'
import type { Reading } from './readings'
import { place, valueAt } from './scale'
import type { Place } from './svg'
import { zoomOf, type Zoom } from './zoom'

/** What a cursor reads is loaded once the reader points at a plot or tabs to it: it costs no page anything. */
const loadReadout = () => import('./readout')
const LineReadings = lazy(async () => ({ default: (await loadReadout()).LineReadings }))
const BoxLayer = lazy(async () => ({ default: (await import('./box-layer')).BoxLayer }))
const Readout = lazy(async () => ({ default: (await loadReadout()).Readout }))
export const CellReading = lazy(async () => ({ default: (await loadReadout()).CellReading }))
export const CellReadings = lazy(async () => ({ default: (await loadReadout()).CellReadings }))

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

interface LinkedProps {
  readonly plot: Plot
  /** The drawing, given the overlay of its panels. */
  readonly children: (over: ReactNode) => ReactNode
}

/** A plot without a cursor: with the line of the cursor that it is linked with, which a mouse over it moves, too. */
export function LinkedLine({ plot, children }: LinkedProps) {
  const [x, set] = useCursor(plot.link)
  return (
    <div
      onPointerMove={({ currentTarget, clientX, pointerType }) => {
        const area = currentTarget.querySelector('[data-plot-area]')?.getBoundingClientRect()
        if (pointerType !== 'mouse' || area === undefined || plot.places.length === 0) return
        const [from, to] = plot.x.domain
        const wanted = from + ((clientX - area.left) / area.width) * (to - from)
        set(plot.places[nearest(plot.places, wanted)] ?? null)
      }}
      onPointerLeave={() => set(null)}
    >
      {children(x === null ? null : <Over plot={plot} x={x} from={null} />)}
    </div>
  )
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
  /**
   * A click opens the run nearest to it; the key E and a long press report the time to the page (`placePicked`). Absent:
   * they do nothing.
   */
  readonly picksPlaces?: boolean | undefined
  /** Called with the part that a drag, a pinch or the keys chose; null: all, after a double click or Escape. Absent:
   * the plot has no parts.
   */
  readonly onPart?: ((part: Zoom | null) => void) | undefined
  /** A rectangle dragged over cells, or the key B, opens what is in that box. Absent: it does not. */
  readonly box?: BoxChoice | undefined
  /** The drawing, given the overlay of a panel and the position of the cursor. */
  readonly children: (over: (panel: Panel) => ReactNode, x: number | null) => ReactNode
}

/**
 * The cursor of a plot: under the pointer, a finger or the arrow keys (Page keys step by ten, Home and End go to the
 * ends, Escape lets go, Enter opens the first reading), with the value of every series there.
 */
export function Cursor({ zoomBase, ...props }: Props) {
  return zoomBase === undefined ? (
    <FreeCursor {...props} open={null} openAll={null} />
  ) : (
    <ZoomingCursor {...props} zoomBase={zoomBase} />
  )
}

function ZoomingCursor({ zoomBase, ...props }: Props & { readonly zoomBase: string }) {
  const router = useRouter()
  const open = (from: string, to: string) =>
    router.push(`${zoomBase}${new URLSearchParams({ from, to })}`, { scroll: false })
  const openAll = () => router.push(zoomBase.replace(/[?&]$/, ''), { scroll: false })
  return <FreeCursor {...props} open={open} openAll={openAll} />
}

interface FreeProps extends Omit<Props, 'zoomBase'> {
  /** Draws the part between two times, both included; null: nothing can be chosen. */
  readonly open: ((from: string, to: string) => void) | null
  /** Draws all; null: it always is. */
  readonly openAll: (() => void) | null
}

function FreeCursor({ plot, open, openAll, picksPlaces = false, onPart, box: drawable, children }: FreeProps) {
  const [isNear, setIsNear] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const [isHeld, setIsHeld] = useState(false)
  const position = usePosition(plot)
  const { x, stops, anchor } = position
  const hasCells = plot.panels.some((panel) => panel.cell !== undefined)
  const canZoom = open !== null || onPart !== undefined
  const acts: Acts = {
    canZoom,
    canSelect: canZoom || drawable !== undefined,
    zoom: (one, other) => {
      if (onPart !== undefined) {
        const ends = [one, other].map((stop) => stops[stop] ?? 1).sort((a, b) => a - b)
        position.letGo()
        return onPart({ x: [ends[0] ?? 1, ends[1] ?? 1], y: null })
      }
      const range = rangeOf(plot, stops, one, other)
      position.letGo()
      if (range !== null) open?.(...range)
    },
    pick: (stop) => {
      const ms = plot.heading?.kind === 'times' && stop !== null ? plot.heading.times[stop] : undefined
      if (!picksPlaces || ms === undefined) return
      frame.current?.dispatchEvent(new CustomEvent(placePicked, { bubbles: true, detail: ms }))
    },
    zoomOut: () => {
      position.letGo()
      if (onPart === undefined) openAll?.()
      else onPart(null)
    },
    follow: (stop, down) => {
      const at = stop === undefined ? x : stops[stop]
      const [panel] = plot.panels
      if (at == null || panel === undefined) return
      const wanted = down === undefined ? undefined : valueAt(1 - down, panel.y.domain, panel.y.scale)
      void openNearest(plot, at, wanted)
    },
    opensRuns: picksPlaces,
  }
  const from = anchor === null ? null : (stops[anchor] ?? null)
  const [box, handlers] = useParts(plot, position, onPart)
  const comeNear = () => {
    void loadReadout()
    setIsNear(true)
  }
  return (
    <div
      ref={frame}
      className={`relative ${styles.hover} ${acts.canSelect ? styles.zoomable : ''} ${hasCells ? `grid ${styles.cells}` : ''}`}
      role="application"
      tabIndex={0}
      aria-label={labelOf(plot, canZoom, picksPlaces, drawable !== undefined)}
      {...(onPart === undefined ? pointerHandlers(plot, position, acts) : handlers)}
      onKeyDown={(event) => {
        onKey(event, position, acts)
        if (event.key === 'Escape') onPart?.(null)
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        // The links of the readout are inside of the plot.
        if (!currentTarget.contains(relatedTarget)) position.letGo()
      }}
      onPointerEnter={comeNear}
      onFocus={comeNear}
      onPointerDownCapture={({ pointerType }) => setIsHeld(pointerType === 'touch')}
      onKeyDownCapture={() => setIsHeld(true)}
      onTouchEnd={(event) => {
        // The click that follows would land on what the long press has opened.
        if (picksPlaces && event.timeStamp - position.pressedAt.current > longPressMs) event.preventDefault()
      }}
    >
      {children(
        (panel) => (
          <>
            {box}
            {isMap(panel) && drawable?.shown && (
              <div className={styles.box} style={{ inset: drawable.shown }} data-box />
            )}
            {x !== null && <Over plot={plot} x={x} from={from} />}
            <Suspense>
              {x !== null && <LineReadings plot={plot} panel={panel} x={x} />}
              {isNear && drawable && isMap(panel) && (
                <BoxLayer plot={plot} box={drawable} canZoom={canZoom} x={x} from={from} letGo={position.letGo} />
              )}
            </Suspense>
          </>
        ),
        x,
      )}
      <Suspense>{x !== null && !hasCells && <Readout plot={plot} x={x} isHeld={isHeld} />}</Suspense>
    </div>
  )
}

/** Opens the run that is read at a position; of several, that nearest to a value. Nothing, if none has a page. */
async function openNearest(plot: Plot, x: number, wanted: number | undefined): Promise<void> {
  const { readPlot } = await loadReadout()
  const away = ({ value }: Reading) => (wanted === undefined ? 0 : Math.abs(value - wanted))
  const found = readPlot(plot, x).filter(({ href }) => href !== null)
  const href = found.toSorted((a, b) => away(a) - away(b))[0]?.href ?? null
  if (href !== null) window.location.assign(href)
}

/** Where the cursor of a plot is, and where the part to be drawn begins. */
interface Position {
  /** Its possible positions, ascending. */
  readonly stops: readonly number[]
  /** Null: it is not on this plot. */
  readonly x: number | null
  readonly moveTo: (stop: number | null) => void
  /** A stop; null: nothing is being selected. */
  readonly anchor: number | null
  readonly setAnchor: (stop: number | null) => void
  /** When a finger was last put down, in the time of events. */
  readonly pressedAt: { current: number }
  readonly letGo: () => void
}

function usePosition(plot: Plot): Position {
  const stops = useMemo(() => stopsOf(plot), [plot])
  const [linked, setX] = useCursor(plot.link)
  const [anchor, setAnchor] = useState<number | null>(null)
  const pressedAt = useRef(0)
  const isIn = linked !== null && linked >= (stops[0] ?? Infinity) && linked <= (stops.at(-1) ?? -Infinity)
  return {
    stops,
    x: isIn ? linked : null,
    moveTo: (stop) => setX(stop === null ? null : (stops[stop] ?? null)),
    anchor,
    setAnchor,
    pressedAt,
    letGo: () => {
      setX(null)
      setAnchor(null)
    },
  }
}

/** What keys and pointers do besides moving the cursor. */
interface Acts {
  readonly canZoom: boolean
  /** Shift with the arrow keys selects a part. */
  readonly canSelect: boolean
  /** Draws only the part between two stops, both included. */
  readonly zoom: (one: number, other: number) => void
  /** Draws all again. */
  readonly zoomOut: () => void
  readonly pick: (stop: number | null) => void
  /** Opens the first reading; of a stop, that nearest to a share of the height. */
  readonly follow: (stop?: number, down?: number) => void
  readonly opensRuns: boolean
}

/** The part between two stops, both included, as an address has it; null: the plot has no times. */
function rangeOf(
  { heading }: Plot,
  stops: readonly number[],
  one: number,
  other: number,
): readonly [from: string, to: string] | null {
  const [first, last] = [Math.min(one, other), Math.max(one, other)]
  const places = heading?.kind === 'times' ? heading.times : stops
  const [from, to] = [places[first], places[last]]
  if (from === undefined || to === undefined) return null
  if (heading?.kind === 'times') return [new Date(from).toISOString(), new Date(to).toISOString()]
  return heading?.kind === 'elapsed' ? [String(from - heading.binMs / 2), String(to + heading.binMs / 2)] : null
}

/** Dragging a rectangle or pinching shows that part; a double click shows all. */
function useParts(plot: Plot, { stops, moveTo, letGo }: Position, onPart: Props['onPart']) {
  const [touches, setTouches] = useState<ReadonlyMap<number, Touch>>(new Map())
  const areaOf = ({ currentTarget }: PointerEvent) =>
    currentTarget.querySelector('[data-plot-area]')?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
  const placeOf = (event: PointerEvent): Place => {
    const { left, top, width, height } = areaOf(event)
    const share = (px: number, all: number) => Math.min(1, Math.max(0, px / Math.max(1, all)))
    return [share(event.clientX - left, width), share(event.clientY - top, height)]
  }
  const shares = stops.map((stop) => shareOf(plot, stop))
  const end = (event: PointerEvent) => {
    const [one, other] = touches.values()
    const { width, height } = areaOf(event)
    setTouches(new Map())
    if (one === undefined) return
    if (other !== undefined) {
      const part = pinchedPart(one, other)
      return onPart?.(part === null ? null : zoomOf(plot, stops, part))
    }
    const part = event.pointerType === 'touch' ? null : draggedPart(one, width, height)
    if (part !== null) onPart?.(zoomOf(plot, stops, part))
  }
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      const at = placeOf(event)
      moveTo(nearest(shares, at[0]))
      if (event.button === 0) setTouches(new Map([...touches, [event.pointerId, { from: at, to: at }]]))
    },
    onPointerMove: (event: PointerEvent) => {
      const at = placeOf(event)
      const touch = touches.get(event.pointerId)
      if (touches.size < 2) moveTo(nearest(shares, at[0]))
      // Two fingers may move before the plot is drawn again.
      if (touch !== undefined) setTouches((all) => new Map([...all, [event.pointerId, { ...touch, to: at }]]))
    },
    onPointerUp: end,
    onPointerCancel: () => setTouches(new Map()),
    onPointerLeave: (event: PointerEvent) => {
      if (event.pointerType === 'touch') return
      setTouches(new Map())
      letGo()
    },
    onDoubleClick: () => onPart?.(null),
  }
  const [first] = touches.values()
  return [touches.size === 1 && first !== undefined && <DraggedBox touch={first} />, handlers] as const
}

/** Long and flat, or upright: a drag along one axis takes all of the other. */
const flat = 0.04

function DraggedBox({ touch: { from, to } }: { touch: Touch }) {
  const edges = (axis: 0 | 1): Place => {
    const [one, other] = [Math.min(from[axis], to[axis]), Math.max(from[axis], to[axis])]
    return other - one < flat ? [0, 1] : [one, other]
  }
  if (Math.abs(to[0] - from[0]) < flat && Math.abs(to[1] - from[1]) < flat) return null
  const [left, right] = edges(0)
  const [top, bottom] = edges(1)
  const percent = (share: number) => `${share * 100}%`
  const inset = [top, 1 - right, 1 - bottom, left].map(percent).join(' ')
  return <div className={styles.stretch} style={{ inset }} />
}

const longPressMs = 600

function pointerHandlers(plot: Plot, position: Position, acts: Acts) {
  const { stops, moveTo, anchor, setAnchor, letGo, pressedAt } = position
  const stopAt = ({ target, currentTarget, clientX }: PointerEvent): number | null => {
    const cell = target instanceof Element ? target.closest('[data-cell]') : null
    const rect = (cell ?? currentTarget).querySelector('[data-plot-area]')?.getBoundingClientRect()
    const shares = stops.map((stop) => shareOf(plot, stop))
    return rect ? nearest(shares, (clientX - rect.left) / Math.max(1, rect.width)) : null
  }
  const downOf = ({ currentTarget, clientY }: PointerEvent): number => {
    const { top = 0, height = 1 } = currentTarget.querySelector('[data-plot-area]')?.getBoundingClientRect() ?? {}
    return (clientY - top) / Math.max(1, height)
  }
  return {
    onPointerMove: (event: PointerEvent) => moveTo(stopAt(event)),
    onPointerDown: (event: PointerEvent) => {
      moveTo(stopAt(event))
      pressedAt.current = event.timeStamp
      if (acts.canZoom && event.pointerType !== 'touch' && event.button === 0) setAnchor(stopAt(event))
    },
    onPointerUp: (event: PointerEvent) => {
      const stop = stopAt(event)
      if (anchor !== null && stop !== null && stop !== anchor) return acts.zoom(anchor, stop)
      setAnchor(null)
      const isLink = event.target instanceof Element && event.target.closest('a') !== null
      if (isLink || stop === null) return
      if (event.pointerType === 'touch' && event.timeStamp - pressedAt.current > longPressMs) return acts.pick(stop)
      if (anchor !== null && acts.opensRuns) acts.follow(stop, downOf(event))
    },
    // What a finger selected stays when it is lifted.
    onPointerLeave: (event: PointerEvent) => event.pointerType !== 'touch' && letGo(),
  }
}

function onKey(event: KeyboardEvent, { stops, x, moveTo, anchor, setAnchor, letGo }: Position, acts: Acts): void {
  const { key, shiftKey, target, currentTarget } = event
  const now = x === null ? null : nearest(stops, x)
  const last = stops.length - 1
  const step = steps[key]
  const end = key === 'Home' ? 0 : key === 'End' ? last : null
  if (key === 'Escape') letGo()
  if (step !== undefined || end !== null) {
    event.preventDefault()
    setAnchor(shiftKey && acts.canSelect ? (anchor ?? now) : null)
    const next = end ?? (now ?? ((step ?? 0) > 0 ? -1 : stops.length)) + (step ?? 0)
    moveTo(Math.min(last, Math.max(0, next)))
  }
  const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey
  if ((key === '+' || key === '=') && acts.canZoom && isPlain) {
    const [from, to] = halfAround(now ?? Math.round(last / 2), last)
    if (to - from >= 1 && to - from < last) acts.zoom(from, to)
  }
  if (key === '-' && acts.canZoom && isPlain) acts.zoomOut()
  if (key === 'e' && isPlain) acts.pick(now)
  if (key !== 'Enter' || target !== currentTarget || now === null) return
  if (anchor !== null && anchor !== now) acts.zoom(anchor, now)
  else acts.follow()
}

const isMap = ({ marks }: Panel): boolean => marks.some(({ kind }) => kind === 'cells')

const shareOf = ({ x }: Plot, value: number): number => place(value, x.domain, x.scale)

/** Half of the stops, with this one in the middle if it is not near an end. */
function halfAround(stop: number, last: number): readonly [from: number, to: number] {
  const size = Math.ceil(last / 2)
  const from = Math.min(Math.max(0, stop - Math.floor(size / 2)), last - size)
  return [from, from + size]
}

/** The line of the cursor, and the part selected from its other end. */
function Over({ plot, x, from }: { plot: Plot; x: number; from: number | null }) {
  const left = (value: number) => `${shareOf(plot, value) * 100}%`
  return (
    <>
      {from !== null && from !== x && (
        <div
          className={styles.stretch}
          style={{ left: left(Math.min(x, from)), right: `calc(100% - ${left(Math.max(x, from))})` }}
        />
      )}
      <div className={styles.cursor} style={{ left: left(x) }} data-cursor />
    </>
  )
}

/** What the keys do, for screen readers. */
function labelOf({ title, panels }: Plot, canZoom: boolean, picksPlaces: boolean, hasBox: boolean): string {
  const opens = panels.some(({ marks }) =>
    marks.some((mark) => mark.kind === 'line' && mark.hrefs?.some((href) => href !== '')),
  )
  const keys = [
    'arrow keys read the values',
    ...(opens ? ['Enter opens the run'] : []),
    ...(picksPlaces ? ['E adds an event there'] : []),
    ...(hasBox ? ['B ranks their requests'] : []),
  ]
  return `${title}: ${keys.join(', ')}${canZoom ? '; + and − zoom, Shift with arrow keys selects a range, Enter zooms in' : ''}`
}

/** The position of the number in `all` that is nearest to `wanted`. */
function nearest(all: readonly number[], wanted: number): number {
  let best = 0
  all.forEach((one, at) => {
    if (Math.abs(one - wanted) < Math.abs((all[best] ?? 0) - wanted)) best = at
  })
  return best
}
