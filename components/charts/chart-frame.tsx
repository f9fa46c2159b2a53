'use client'

import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ChartTools } from './chart-tools'
import styles from './chart-frame.module.css'
import type { HdrPlot } from './hdr-plot'
import type { HistogramPlot } from './latency-histogram'
import type { EcdfPlot } from './ecdf-plot'

type FramedPlot = HdrPlot | HistogramPlot | EcdfPlot

/** What a frame can show: the same plot, prepared for one or more scales. */
export interface FramedPlots {
  readonly linear: FramedPlot
  readonly log: HdrPlot | null
}

type Chart = ComponentType<{ plot: FramedPlot }>

/** Recharts and its drawing, fetched once the page is idle or the chart is touched. */
async function loadChart(kind: FramedPlot['kind']): Promise<Chart> {
  if (kind === 'hdr') return (await import('./hdr-plot-chart')).HdrPlotChart as Chart
  if (kind === 'ecdf') return (await import('./ecdf-plot-chart')).EcdfPlotChart as Chart
  return (await import('./latency-histogram-chart')).LatencyHistogramChart as Chart
}

const whenIdle = (run: () => void): (() => void) => {
  if (typeof window.requestIdleCallback === 'function') {
    const id = window.requestIdleCallback(run, { timeout: 2_000 })
    return () => window.cancelIdleCallback(id)
  }
  const timer = window.setTimeout(run, 500)
  return () => window.clearTimeout(timer)
}

/**
 * Title, legend and tools of a chart around its drawing. The static drawing (children, made on the server) is what the
 * first paint and readers without JavaScript see; the interactive one takes its place in the same box.
 */
export function ChartFrame({
  plots,
  initial,
  tools,
  children,
}: {
  plots: FramedPlots
  initial: 'linear' | 'log'
  /** Further choices, before those of every frame. */
  tools?: ReactNode
  children: ReactNode
}) {
  const [loaded, setChart] = useState<{ readonly Chart: Chart; readonly kind: FramedPlot['kind'] } | null>(null)
  const [scale, setScale] = useState(initial)
  const [asTable, setAsTable] = useState(false)
  const plot = (scale === 'log' ? plots.log : null) ?? plots.linear
  const { kind } = plot
  // Another kind of plot may come into this place: its own drawing is fetched first.
  const chart = loaded?.kind === kind ? loaded : null
  const load = () => void loadChart(kind).then((Chart) => setChart({ Chart, kind }))
  useEffect(() => whenIdle(() => void loadChart(kind).then((Chart) => setChart({ Chart, kind }))), [kind])

  return (
    <figure className={styles.frame} onPointerEnter={chart ? undefined : load} onFocus={chart ? undefined : load}>
      <div className={styles.head}>
        <figcaption className={styles.title}>{plot.title}</figcaption>
        <div className={styles.tools}>
          {tools}
          {plots.log && (
            <button
              type="button"
              className={styles.tool}
              aria-pressed={scale === 'log'}
              onClick={() => setScale(scale === 'log' ? 'linear' : 'log')}
            >
              Log scale
            </button>
          )}
          <button type="button" className={styles.tool} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            Table
          </button>
          <ChartTools title={plot.title} />
        </div>
      </div>
      {asTable ? <PlotTable plot={plot} /> : chart ? <chart.Chart plot={plot} /> : children}
    </figure>
  )
}

function PlotTable({ plot }: { plot: FramedPlot }) {
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label={`${plot.title}, as table`}>
      <table className="table">
        <thead>
          <tr>
            {plot.table.head.map((cell) => (
              <th key={cell} scope="col" className="num">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {plot.table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} className="num">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
