'use client'

import { useEffect, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { ChartTools } from './chart-tools'
import styles from './chart-frame.module.css'
import { EcdfPlotSvg } from './ecdf-plot-svg'
import { HdrPlotSvg } from './hdr-plot-svg'
import { LatencyHistogramSvg } from './latency-histogram-svg'
import { PlotLegend } from './plot-legend'
import { unpackPlots, type FramedPlot, type PackedPlots } from './packed-plots'

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
 * Title and tools of a chart around its drawing. The static drawing is what the first paint and readers without JavaScript
 * see; the interactive one takes its place in the same box. Both are drawn here, so that a page carries the numbers once.
 */
export function ChartFrame({
  plots: packed,
  initial,
  tools,
}: {
  plots: PackedPlots
  initial: 'linear' | 'log'
  /** Further choices, before those of every frame. */
  tools?: ReactNode
}) {
  const [loaded, setChart] = useState<{ readonly Chart: Chart; readonly kind: FramedPlot['kind'] } | null>(null)
  const [scale, setScale] = useState(initial)
  const [asTable, setAsTable] = useState(false)
  const [Table, setTable] = useState<ComponentType<{ plot: FramedPlot }> | null>(null)
  const plots = useMemo(() => unpackPlots(packed), [packed])
  const plot = (scale === 'log' ? plots.log : null) ?? plots.linear
  const { kind } = plot
  // Another kind of plot may come into this place: its own drawing is fetched first.
  const chart = loaded?.kind === kind ? loaded : null
  const load = () => void loadChart(kind).then((Chart) => setChart({ Chart, kind }))
  const showTable = async () => {
    const { PlotTable } = await import('./plot-table')
    setTable(() => PlotTable)
    setAsTable(!asTable)
  }
  useEffect(() => whenIdle(() => void loadChart(kind).then((Chart) => setChart({ Chart, kind }))), [kind])

  return (
    <>
      <figure
        className={styles.frame}
        data-drawn={asTable ? undefined : ''}
        onPointerEnter={chart ? undefined : load}
        onFocus={chart ? undefined : load}
      >
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
            <button type="button" className={styles.tool} aria-pressed={asTable} onClick={() => void showTable()}>
              Table
            </button>
            <ChartTools title={plot.title} />
          </div>
        </div>
        {asTable && Table ? <Table plot={plot} /> : chart ? <chart.Chart plot={plot} /> : <StaticPlot plot={plot} />}
      </figure>
      <PlotLegend plot={plot} />
    </>
  )
}

function StaticPlot({ plot }: { plot: FramedPlot }) {
  if (plot.kind === 'hdr') return <HdrPlotSvg plot={plot} />
  return plot.kind === 'ecdf' ? <EcdfPlotSvg plot={plot} /> : <LatencyHistogramSvg plot={plot} />
}
