import type { PointerEvent } from 'react'
import { heightOf, type Panel, type Plot } from './model'
import styles from './plot.module.css'
import { headingAt, readCell, readPanel, readPlot, type Reading } from './readings'
import { place } from './scale'
import { apart } from './svg'

export { readPlot } from './readings'

/** With more values, they would cover the lines: they have a box of their own. */
const maxOnLines = 6
const valuePx = 15

/** Whether the cursor's values stand at their lines. */
const readsOnLines = ({ heading, panels }: Plot, readings: readonly Reading[]): boolean =>
  heading?.kind === 'quantile' && panels.length === 1 && readings.length <= maxOnLines

/** The cursor's values at their lines, moved apart where they would cover each other, and its position above them. */
export function LineReadings({ plot, panel, x }: { plot: Plot; panel: Panel; x: number }) {
  const [from, to] = panel.y.domain
  const readings = readPanel(plot, panel, x).filter(({ value }) => value >= from && value <= to)
  if (!readsOnLines(plot, readings)) return null
  const height = heightOf(panel)
  const right = place(x, plot.x.domain, plot.x.scale)
  // Where a line ends, its last value and its name are right of it.
  const isEnd = panel.marks.some((mark) => mark.kind === 'label' && Math.abs(mark.x - x) <= x * 1e-9)
  const sides = { 'data-side': isEnd || right > 0.66 ? 'left' : 'right' } as const
  const left = `${right * 100}%`
  const placed = readings
    .map((one) => ({ ...one, top: (1 - place(one.value, panel.y.domain, panel.y.scale)) * height }))
    .sort((a, b) => a.top - b.top)
  const tops = apart(
    placed.map(({ top }) => top),
    valuePx,
    [4, height - 4],
  )
  return (
    <div aria-hidden="true">
      {panel.says === 'ms' && (
        <strong
          className={styles.at}
          style={{ left }}
          data-side={right > 0.66 ? 'left' : right < 0.2 ? 'right' : undefined}
        >
          {headingAt(plot, x)}
        </strong>
      )}
      {placed.map(({ name, color, text, top }, at) => (
        <span key={`${name} ${color}`} style={{ color }}>
          <i className={styles.ring} style={{ left, top }} />
          <b className={styles.value} style={{ left, top: tops[at] }} {...sides}>
            {text}
          </b>
        </span>
      ))}
    </div>
  )
}

interface ReadoutProps {
  readonly plot: Plot
  readonly x: number
  /** It stays where it is, so its links can be reached: the cursor came by a finger or by keys. */
  readonly isHeld: boolean
}

/** Inside of the box, the cursor does not move. */
const stop = (event: PointerEvent) => event.stopPropagation()

/** What the cursor reads in a cell. */
export const CellReading = ({ plot, cell, x }: { plot: Plot; cell: number; x: number }) =>
  `${headingAt(plot, x)}: ${readCell(plot, cell, x)}`

/** What it reads in all cells, in one sentence. */
export function CellReadings({ plot, cells, x }: { plot: Plot; cells: readonly number[]; x: number }) {
  const read = cells.map((cell) => `${plot.series[cell]?.name} ${readCell(plot, cell, x)}`)
  return `${headingAt(plot, x)}: ${read.join('; ')}`
}

/** Everything that the cursor reads, in a box; for screen readers only if it stands at the lines. */
export function Readout({ plot, x, isHeld }: ReadoutProps) {
  const readings = readPlot(plot, x)
  if (readings.length === 0) return null
  return (
    <div
      className={readsOnLines(plot, readings) ? 'visually-hidden' : `outlined text-12 ${styles.readout}`}
      data-side={place(x, plot.x.domain, plot.x.scale) > 0.5 ? 'left' : 'right'}
      data-held={isHeld || undefined}
      aria-live="polite"
      onPointerDown={stop}
      onPointerMove={stop}
      onPointerUp={stop}
    >
      <strong>{headingAt(plot, x)}</strong>
      <dl>
        {readings.map((one) => (
          <Value key={`${one.name} ${one.color}`} {...one} isHeld={isHeld} />
        ))}
      </dl>
    </div>
  )
}

function Value({ name, color, text, note, href, compareHref, isHeld }: Reading & Pick<ReadoutProps, 'isHeld'>) {
  return (
    <>
      <dt>
        <span className={styles.swatch} style={{ background: color }} />
        {name}
        {note !== '' && <span className="muted"> {note}</span>}
      </dt>
      <dd>
        {text}
        {isHeld && href !== null && (
          <span className={`block ${styles.links}`}>
            <a href={href}>Open run</a>
            {compareHref !== null && (
              <>
                {' · '}
                <a href={compareHref}>Compare</a>
              </>
            )}
          </span>
        )}
      </dd>
    </>
  )
}
