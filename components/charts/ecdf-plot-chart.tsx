'use client'

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatMs, formatPercent } from '../../lib/format'
import { shareAt } from '../../lib/stats/share-at'
import { ChartTooltip } from './chart-tooltip'
import type { EcdfPlot, EcdfSeries } from './ecdf-plot'
import { Marker } from './marker'
import { readingRows, strokeOf } from './repeats'
import { box, plotHeightPx } from './scale'

type Row = Record<string, number>

/** Every latency of every run once. Two points of a run may stand at one latency: then the upper one is read. */
function rowsOf(plot: EcdfPlot): Row[] {
  const rows = new Map<number, Row>()
  plot.series.forEach((series, index) => {
    for (const { ms, share } of series.points) {
      // What lies under a logarithmic axis stands on it, as in the static drawing.
      const x = Math.max(ms, plot.xDomain[0])
      rows.set(x, { ...(rows.get(x) ?? { x }), [`s${index}`]: share })
    }
  })
  return [...rows.values()].sort((a, b) => (a.x ?? 0) - (b.x ?? 0))
}

function Hover({ plot, ms }: { readonly plot: EcdfPlot; readonly ms: number }) {
  const rows = readingRows(
    plot.series.map((series) => ({ series, value: shareAt(series, ms) })),
    formatPercent,
  )
  return <ChartTooltip title={`at ${formatMs(ms)} or less`} rows={[...rows].sort((a, b) => b.order - a.order)} />
}

/** The shares at or below each latency, interactive: renders what `prepareEcdf` decided, in the same box. */
export function EcdfPlotChart({ plot }: { plot: EcdfPlot }) {
  const tick = { fill: 'var(--muted)', fontSize: 11.5 }
  return (
    <ResponsiveContainer width="100%" height={plotHeightPx}>
      <LineChart
        data={rowsOf(plot)}
        margin={{ top: box.top, right: box.right, bottom: 0, left: 0 }}
        accessibilityLayer
        title={plot.title}
      >
        <CartesianGrid stroke="var(--grid)" vertical={false} />
        <XAxis
          dataKey="x"
          type="number"
          scale={plot.scale}
          domain={[...plot.xDomain]}
          ticks={plot.xTicks.map(({ ms }) => ms)}
          tickFormatter={(ms: number) => plot.xTicks.find((one) => one.ms === ms)?.label ?? ''}
          height={box.bottom}
          tick={tick}
          tickLine={false}
          interval={0}
          stroke="var(--line-strong)"
          allowDataOverflow
        />
        <YAxis
          type="number"
          domain={[0, 1]}
          ticks={plot.yTicks.map(({ value }) => value)}
          tickFormatter={(value: number) => plot.yTicks.find((one) => one.value === value)?.label ?? ''}
          width={box.left}
          tick={tick}
          tickLine={false}
          axisLine={false}
          interval={0}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--line-strong)' }}
          content={({ active, label }) =>
            active && typeof label === 'number' ? <Hover plot={plot} ms={label} /> : null
          }
        />
        {plot.series.map((series, index) => (
          <Line
            key={series.id}
            dataKey={`s${index}`}
            name={series.name}
            type={series.steps ? 'stepAfter' : 'linear'}
            stroke={series.style.color}
            {...strokeOf(series)}
            strokeDasharray={series.style.dash}
            dot={series.marked ? dotOf(series, plot.xDomain[0]) : false}
            activeDot={false}
            connectNulls
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  )
}

/** Marks the points that the tool printed. */
function dotOf(series: EcdfSeries, fromMs: number) {
  return function Dot({ cx, cy, payload }: { cx?: number; cy?: number; payload?: Row }) {
    const isShown = cx !== undefined && cy !== undefined && Number.isFinite(cy)
    const isOwn = series.points.some(({ ms }) => Math.max(ms, fromMs) === payload?.x)
    return (
      <g key={`${payload?.x}`} transform={isShown && isOwn ? `translate(${cx} ${cy})` : undefined}>
        {isShown && isOwn && <Marker shape={series.style.marker} color={series.style.color} hollow={false} />}
      </g>
    )
  }
}
