'use client'

import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { box } from './scale'
import type { TrendPlot } from './trend-plot'
import styles from './trend-plot.module.css'

/**
 * Reads all lines at one moment under the pointer, or under the arrow keys; Enter or a click opens the run. The drawing
 * itself comes from the server.
 */
export function TrendHover({ plot, children }: { plot: TrendPlot; children: ReactNode }) {
  const places = [...new Set(plot.lines.flatMap((line) => line.dots.map((dot) => dot.x)))].sort((a, b) => a - b)
  const [at, setAt] = useState<number | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const x = at === null ? null : (places[at] ?? null)
  const dots =
    x === null ? [] : plot.lines.flatMap((line) => line.dots.filter((dot) => dot.x === x).map((dot) => ({ line, dot })))
  const [first] = dots

  const point = (event: PointerEvent) => {
    const rect = frame.current?.getBoundingClientRect()
    if (!rect || places.length === 0) return
    const share = (event.clientX - rect.left - box.left) / Math.max(1, rect.width - box.left - box.right)
    setAt(nearest(places, share))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt((now) => Math.min(places.length - 1, Math.max(0, (now ?? (step > 0 ? -1 : places.length)) + step)))
    }
    if (event.key === 'Escape') setAt(null)
    if (event.key === 'Enter' && first && event.target === frame.current) window.location.assign(first.dot.href)
  }

  return (
    <div
      ref={frame}
      className={styles.hover}
      role="application"
      tabIndex={0}
      aria-label={`${plot.title}: arrow keys read the values, Enter opens the run`}
      onPointerMove={point}
      onPointerLeave={() => setAt(null)}
      onKeyDown={onKeyDown}
      onBlur={() => setAt(null)}
    >
      {children}
      {x !== null && first && (
        <>
          <div
            className={styles.cursor}
            style={{ left: `calc(${box.left}px + (100% - ${box.left + box.right}px) * ${x})` }}
          />
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
