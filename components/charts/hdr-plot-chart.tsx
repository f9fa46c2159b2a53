'use client'

import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatMs } from '../../lib/format'
import { quantileName, slowerWords, xToQuantile } from '../../lib/stats/quantile'
import { ChartTooltip } from './chart-tooltip'
import type { HdrPlot, HdrSeries } from './hdr-plot'
import { Marker } from './marker'
import styles from './plot.module.css'
import { readingRows, strokeOf } from './repeats'
import { box, plotHeightPx } from './scale'

type Row = Record<string, number>

/** Every x of every series once; `s0` is the first series where it is supported, `f0` where it fades. */
function rowsOf(plot: HdrPlot): Row[] {
  const rows = new Map<number, Row>()
  plot.series.forEach((series, index) => {
    const firstFaded = series.points.findIndex((point) => !point.supported)
    series.points.forEach((point, at) => {
      const row = rows.get(point.x) ?? { x: point.x }
      // What lies under a logarithmic axis stands on it, as in the static drawing.
      const ms = Math.max(point.ms, plot.yDomain[0])
      if (point.supported) row[`s${index}`] = ms
      if (firstFaded >= 0 && at >= firstFaded - 1) row[`f${index}`] = ms
      rows.set(point.x, row)
    })
  })
  return [...rows.values()].sort((a, b) => (a.x ?? 0) - (b.x ?? 0))
}

/** The value of a series at x: printed there, or read off its recorded histogram; null where nothing is known. */
function valueAt(series: HdrSeries, x: number): number | null {
  const exact = series.points.find((point) => Math.abs(point.x - x) < 1e-9 * x)
  if (exact) return exact.ms
  const last = series.points.at(-1)
  if (!last || last.x < x || series.points.every((point) => point.marked)) return null
  return series.points.findLast((point) => point.x <= x)?.ms ?? null
}

function Hover({ plot, x }: { plot: HdrPlot; x: number }) {
  const q = xToQuantile(x)
  const rows = readingRows(
    plot.series.map((series) => ({ series, value: valueAt(series, x) })),
    formatMs,
  )
  const title = q === 0 ? 'fastest' : `${quantileName(Number(q.toPrecision(9)))}: ${slowerWords(q)}`
  return <ChartTooltip title={title} rows={[...rows].sort((a, b) => b.order - a.order)} />
}

/** The percentile plot, interactive: renders what `prepareHdrPlot` decided, in the same box as the static drawing. */
export function HdrPlotChart({ plot }: { plot: HdrPlot }) {
  const tick = { fill: 'var(--muted)', fontSize: 11.5 }
  return (
    <ResponsiveContainer width="100%" height={plotHeightPx}>
      <LineChart
        data={rowsOf(plot)}
        margin={{ top: box.top, right: box.right, bottom: 0, left: 0 }}
        accessibilityLayer
        title={plot.title}
      >
        <CartesianGrid stroke="var(--grid)" />
        <XAxis
          dataKey="x"
          type="number"
          scale="log"
          domain={[...plot.xDomain]}
          ticks={plot.xTicks.map(({ x }) => x)}
          height={box.bottom}
          tick={({ x, y, payload }) => (
            <PercentTick plot={plot} x={Number(x)} y={Number(y)} value={Number(payload.value)} />
          )}
          tickLine={false}
          interval={0}
          stroke="var(--line-strong)"
        />
        <YAxis
          type="number"
          scale={plot.scale}
          domain={[...plot.yDomain]}
          ticks={plot.yTicks.map(({ ms }) => ms)}
          tickFormatter={(ms: number) => plot.yTicks.find((one) => one.ms === ms)?.label ?? ''}
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
            active && typeof label === 'number' ? <Hover plot={plot} x={label} /> : null
          }
        />
        {plot.limit && (
          <ReferenceLine
            y={plot.limit.ms}
            stroke="var(--text)"
            strokeDasharray="2 3"
            label={{
              value: plot.limit.label,
              position: plot.limit.side === 'left' ? 'insideBottomLeft' : 'insideBottomRight',
              className: styles.limitLabel ?? '',
            }}
          />
        )}
        {plot.series.flatMap((series, index) => [
          <Line
            key={`f${index}`}
            dataKey={`f${index}`}
            name={series.name}
            {...lineProps(series)}
            strokeOpacity={0.4}
            dot={dotOf(series, true)}
          />,
          <Line
            key={`s${index}`}
            dataKey={`s${index}`}
            name={series.name}
            {...lineProps(series)}
            dot={dotOf(series, false)}
          />,
        ])}
      </LineChart>
    </ResponsiveContainer>
  )
}

/** A percentile and, below it, how rare it is: the same two lines as in the static drawing. */
function PercentTick({ plot, x, y, value }: { plot: HdrPlot; x: number; y: number; value: number }) {
  const tick = plot.xTicks.find((one) => one.x === value)
  if (!tick) return null
  return (
    <g transform={`translate(${x} ${y})`} textAnchor="middle">
      <text dy={10} className={styles.tick}>
        {tick.label}
        <tspan className={styles.sign}>{' %'}</tspan>
      </text>
      <text dy={26} className={styles.rarity}>
        {tick.rarity}
      </text>
    </g>
  )
}

function lineProps(series: HdrSeries) {
  const { color, dash } = series.style
  return {
    stroke: color,
    ...strokeOf(series),
    strokeDasharray: dash,
    connectNulls: true,
    isAnimationActive: false,
    activeDot: { r: 5 },
  } as const
}

/** Marks the points that the tool printed, and only those. */
function dotOf(series: HdrSeries, faded: boolean) {
  return function Dot({ cx, cy, payload }: { cx?: number; cy?: number; payload?: Row }) {
    const point = series.points.find((one) => one.x === payload?.x)
    const shown =
      !series.side &&
      point?.marked &&
      point.supported !== faded &&
      cx !== undefined &&
      cy !== undefined &&
      Number.isFinite(cy)
    return (
      <g key={`${payload?.x}`} transform={shown ? `translate(${cx} ${cy})` : undefined}>
        {shown && <Marker shape={series.style.marker} color={series.style.color} hollow={!point.supported} />}
      </g>
    )
  }
}
