'use client'

import { useMemo, type PointerEvent } from 'react'
import { useBinCursor } from './bin-cursor'
import { unpackSide, type PackedSide } from './packed-timeline'
import { TableFold, type TableAddress } from './table-fold'
import { gappedMarkup, Panel, panelMarkup } from './timeline-svg'
import { prepareTimelines, type SideTimelines, type TimedRun, type TimelinesPlot } from './timelines-plot'
import timelineStyles from './timeline.module.css'
import styles from './timelines.module.css'

/** A run as it is sent; its timeline null: it has none. */
export type SentRun = Omit<TimedRun, 'timeline'> & { readonly timeline: PackedSide | null }

interface Props {
  readonly title: string
  readonly runs: readonly SentRun[]
  /** Of the table. */
  readonly address: TableAddress
}

/** The timelines of all sides, drawn here from the numbers, so that a page carries them once. */
export function TimelinesChart({ title, runs, address }: Props) {
  const plot = useMemo(
    () => prepareTimelines(runs.map((run) => ({ ...run, timeline: run.timeline && unpackSide(run.timeline) }))),
    [runs],
  )
  return plot && <Cells title={title} plot={plot} address={address} />
}

/** A cell for each side and one cursor in all of them, at the same time since the start; drawn on the server, too. */
function Cells({ title, plot, address }: Omit<Props, 'runs'> & { plot: TimelinesPlot }) {
  const { binCount, sides } = plot
  const { bin, pointAt, clear, onKeyDown } = useBinCursor(binCount)
  const point = (event: PointerEvent) => {
    const area = event.target instanceof Element ? event.target.closest('[data-cell]') : null
    const rect = area?.querySelector('[data-plot-area]')?.getBoundingClientRect()
    if (!rect) return
    pointAt((event.clientX - rect.left) / Math.max(1, rect.width))
  }
  return (
    <>
      <div
        className={styles.grid}
        role="application"
        tabIndex={0}
        aria-label="Over time: arrow keys read the values of every side"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={clear}
        onKeyDown={onKeyDown}
        onBlur={clear}
      >
        {sides.map((side) => (
          <Cell key={`${side.style.color} ${side.name}`} plot={plot} side={side} bin={bin} />
        ))}
        <p className="visually-hidden" aria-live="polite">
          {bin !== null && `${plot.when(bin)}: ${sides.map((side) => `${side.name} ${side.reading(bin)}`).join('; ')}`}
        </p>
      </div>
      <p className={timelineStyles.note}>{plot.note}</p>
      <TableFold id="over-time-table" title={title} address={address} table={() => tableOf(plot)} />
    </>
  )
}

/** Made when it is opened, of what the cursor reads: sent as a table, it would be most of the page. */
function tableOf({ binCount, sides, when }: TimelinesPlot) {
  return {
    head: ['From', ...sides.map((side) => side.name)],
    rows: Array.from({ length: binCount }, (_, bin) => [when(bin), ...sides.map((side) => side.reading(bin))]),
  }
}

function Cell(props: { readonly plot: TimelinesPlot; readonly side: SideTimelines; readonly bin: number | null }) {
  const { plot, side, bin } = props
  const { name, style } = side
  const [rateMarkup, p99Markup] = useMemo(
    () => [
      panelMarkup(plot.rateTicks, plot.xTicks, side.rate.map(gappedMarkup)),
      panelMarkup(plot.p99Ticks, plot.xTicks, side.p99.map(gappedMarkup)),
    ],
    [plot, side],
  )
  const cursorAt = bin === null ? null : (bin + 0.5) / plot.binCount
  return (
    <div className={styles.cell} data-cell>
      <div className={styles.name}>
        <svg width="20" height="8" aria-hidden="true">
          <line x1="0" x2="20" y1="4" y2="4" stroke={style.color} strokeWidth="3" strokeDasharray={style.dash} />
        </svg>
        <strong>{name}</strong>
      </div>
      <p className={styles.reading}>{bin === null ? '\u00a0' : `${plot.when(bin)}: ${side.reading(bin)}`}</p>
      <Panel title={plot.rateTitle} of={name} className={styles.low} cursorAt={cursorAt}>
        {rateMarkup}
      </Panel>
      <Panel title={plot.p99Title} of={name} className={styles.low} cursorAt={cursorAt}>
        {p99Markup}
      </Panel>
    </div>
  )
}
