'use client'

import { useRouter } from 'next/navigation'
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { unpackTrendPlot, type PackedTrendPlot } from './packed-trend'
import { box } from './scale'
import { drawTrends } from './trend-drawing'
import { TrendPlotSvg } from './trend-plot-svg'
import styles from './trend-plot.module.css'

interface Props {
  readonly plot: PackedTrendPlot
  /** Address of the page without the part that is drawn, with `?` or `&` at its end; absent: nothing can be chosen. */
  readonly zoomBase?: string | undefined
}

/**
 * Draws a plot and reads all its lines at one moment under the pointer, or under the arrow keys; Enter opens the run. Dragging, or Shift with
 * the arrow keys and Enter, draws a part of the history only.
 */
export function TrendHover({ plot: packed, zoomBase }: Props) {
  const plot = useMemo(() => unpackTrendPlot(packed), [packed])
  const drawing = useMemo(() => drawTrends(plot, false), [plot])
  const router = useRouter()
  const [anchor, setAnchor] = useState<number | null>(null)
  const places = useMemo(
    () => [...new Set(plot.lines.flatMap((line) => line.dots.map((dot) => dot.x)))].sort((a, b) => a - b),
    [plot],
  )
  const [at, setAt] = useState<number | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const x = at === null ? null : (places[at] ?? null)
  const start = anchor === null ? null : (places[anchor] ?? null)
  const dots =
    x === null ? [] : plot.lines.flatMap((line) => line.dots.filter((dot) => dot.x === x).map((dot) => ({ line, dot })))
  const [first] = dots
  const opens = plot.lines.some((line) => line.dots.some((dot) => dot.href !== null))

  const placeOf = (event: PointerEvent): number | null => {
    const rect = frame.current?.getBoundingClientRect()
    if (!rect || places.length === 0) return null
    const share = (event.clientX - rect.left - box.left) / Math.max(1, rect.width - box.left - box.right)
    return nearest(places, share)
  }
  const letGo = () => {
    setAt(null)
    setAnchor(null)
  }
  /** Draws what lies between two places, both included. */
  const zoom = (one: number, other: number) => {
    const ends = [places[Math.min(one, other)], places[Math.max(one, other)]]
    const times = ends.map((end) => plot.lines.flatMap((line) => line.dots.filter((dot) => dot.x === end))[0]?.at)
    const [from, to] = times
    letGo()
    if (from && to) router.push(`${zoomBase}${new URLSearchParams({ from, to })}`, { scroll: false })
  }
  const onPointerDown = (event: PointerEvent) => {
    if (zoomBase !== undefined && event.pointerType !== 'touch' && event.button === 0) setAnchor(placeOf(event))
  }
  const onPointerUp = (event: PointerEvent) => {
    const place = placeOf(event)
    if (anchor !== null && place !== null && place !== anchor) zoom(anchor, place)
    else setAnchor(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAnchor((now) => (event.shiftKey && zoomBase !== undefined ? (now ?? at) : null))
      setAt((now) => Math.min(places.length - 1, Math.max(0, (now ?? (step > 0 ? -1 : places.length)) + step)))
    }
    if (event.key === 'Escape') letGo()
    if (event.key !== 'Enter' || event.target !== frame.current || at === null) return
    if (anchor !== null && anchor !== at) zoom(anchor, at)
    else if (first && first.dot.href !== null) window.location.assign(first.dot.href)
  }

  return (
    <div
      ref={frame}
      className={`${styles.hover} ${zoomBase === undefined ? '' : styles.zoomable}`}
      role="application"
      tabIndex={0}
      aria-label={`${plot.title}: arrow keys read the values${opens ? ', Enter opens the run' : ''}${zoomBase === undefined ? '' : '; Shift with arrow keys selects a range, Enter zooms in'}`}
      onPointerMove={(event) => setAt(placeOf(event))}
      onPointerDown={onPointerDown}
      onPointerUp={onPointerUp}
      onPointerLeave={letGo}
      onKeyDown={onKeyDown}
      onBlur={letGo}
    >
      <TrendPlotSvg drawing={drawing} />
      {x !== null && start !== null && start !== x && (
        <div
          className={styles.stretch}
          style={{ left: placed(Math.min(x, start)), right: `calc(100% - ${placed(Math.max(x, start))})` }}
        />
      )}
      {x !== null && first && (
        <>
          <div className={styles.cursor} style={{ left: placed(x) }} />
          <div
            className={styles.readout}
            style={x > 0.5 ? { left: box.left + 8 } : { right: box.right + 8 }}
            aria-live="polite"
          >
            <strong>{first.dot.when}</strong>
            <dl>
              {dots.map(({ line, dot }) => (
                <Reading key={line.key} name={line.name} value={dot.value} note={dot.note} />
              ))}
            </dl>
          </div>
        </>
      )}
    </div>
  )
}

/** A place of the plot's box as a length from the left of the frame. */
const placed = (x: number): string => `calc(${box.left}px + (100% - ${box.left + box.right}px) * ${x})`

function Reading({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <>
      <dt>
        {name}
        {note && <span className="muted"> {note}</span>}
      </dt>
      <dd>{value}</dd>
    </>
  )
}

function nearest(places: readonly number[], share: number): number {
  let best = 0
  places.forEach((one, at) => {
    if (Math.abs(one - share) < Math.abs((places[best] ?? 0) - share)) best = at
  })
  return best
}
