'use client'

import { useRef, type PointerEvent, type ReactNode } from 'react'
import { useBinCursor } from './bin-cursor'
import { box } from './scale'
import type { TimelineReadings } from './timeline-plot'
import styles from './timeline.module.css'

/** One cursor across all panels, under the pointer or the arrow keys, with the values of its bin. */
export function TimelineHover(props: { binCount: number; readings: TimelineReadings; children: ReactNode }) {
  const { binCount, readings, children } = props
  const { bin, pointAt, clear, onKeyDown } = useBinCursor(binCount)
  const frame = useRef<HTMLDivElement>(null)
  const reading = bin === null ? null : readings.read(bin)
  const point = (event: PointerEvent) => {
    const rect = frame.current?.getBoundingClientRect()
    if (!rect) return
    pointAt((event.clientX - rect.left - box.left) / Math.max(1, rect.width - box.left - box.right))
  }
  const x = ((bin ?? 0) + 0.5) / binCount
  return (
    <div
      ref={frame}
      className={styles.hover}
      role="application"
      tabIndex={0}
      aria-label="Over time: arrow keys read the values of each bin"
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={clear}
      onKeyDown={onKeyDown}
      onBlur={clear}
    >
      {children}
      {reading && (
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
            <strong>{reading.when}</strong>
            <dl>
              {readings.names.map(({ name, color }, at) => (
                <Value key={name} name={name} color={color} text={reading.texts[at] ?? ''} />
              ))}
            </dl>
          </div>
        </>
      )}
    </div>
  )
}

function Value({ name, color, text }: { name: string; color: string; text: string }) {
  return (
    <>
      <dt>
        <span className={styles.swatch} style={{ background: color }} />
        {name}
      </dt>
      <dd>{text}</dd>
    </>
  )
}
