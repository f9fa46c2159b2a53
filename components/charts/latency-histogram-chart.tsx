'use client'

import { CartesianGrid, ComposedChart, Line, ReferenceArea, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatCount, formatMs } from '../../lib/format'
import { plural } from '../../lib/format'
import { ChartTooltip } from './chart-tooltip'
import type { HistogramPlot, HistogramSeries } from './latency-histogram'
import { outlineOpacity, readingRows, strokeOf } from './repeats'
import { box, place, plotHeightPx } from './scale'

type Row = Record<string, number>

/** One bar: a row at its middle, for the pointer. Several runs: a row at every bound, for the outlines. */
function rowsOf(plot: HistogramPlot): Row[] {
  const rows: Row[] = []
  // A bucket that begins at 0 has no left end on a logarithmic axis.
  const shown = (ms: number) => Math.max(ms, plot.xDomain[0])
  plot.series.forEach((series, index) => {
    if (!plot.overlaid) {
      for (const bar of series.bars) rows.push({ x: shown((bar.fromMs + bar.toMs) / 2), [`s${index}`]: bar.height })
      return
    }
    const wide = series.bars.filter((bar) => bar.toMs > bar.fromMs)
    rows.push({ x: shown(wide[0]?.fromMs ?? 0), [`s${index}`]: 0 })
    for (const bar of wide)
      rows.push({ x: shown(bar.fromMs), [`s${index}`]: bar.height }, { x: bar.toMs, [`s${index}`]: bar.height })
    rows.push({ x: shown(wide.at(-1)?.toMs ?? 0), [`s${index}`]: 0 })
  })
  return rows.sort((a, b) => (a.x ?? 0) - (b.x ?? 0))
}

function barAt(series: HistogramSeries, ms: number) {
  return series.bars.findLast((bar) => bar.fromMs <= ms && ms <= bar.toMs) ?? null
}

function Hover({ plot, ms }: { plot: HistogramPlot; ms: number }) {
  const bars = plot.series.map((series) => ({ series, bar: barAt(series, ms) }))
  const first = bars.find(({ bar }) => bar !== null)?.bar
  if (!first) return null
  const title = plot.overlaid ? `at ${formatMs(ms)}` : `${formatMs(first.fromMs)} to ${formatMs(first.toMs)}`
  const rows = plot.overlaid
    ? readingRows(
        bars.map(({ series, bar }) => ({ series, value: bar && bar.count })),
        (count) => plural(count, 'request'),
      )
    : [{ name: 'Requests', color: bars[0]?.series.style.color ?? '', value: formatCount(first.count) }]
  return <ChartTooltip title={title} rows={rows} />
}

/** The histogram, interactive: renders what `prepareLatencyHistogram` decided, in the same box as the static drawing. */
export function LatencyHistogramChart({ plot }: { plot: HistogramPlot }) {
  const tick = { fill: 'var(--muted)', fontSize: 11.5 }
  return (
    <ResponsiveContainer width="100%" height={plotHeightPx}>
      <ComposedChart
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
          domain={[...plot.yDomain]}
          ticks={plot.yTicks.map(({ value }) => value)}
          tickFormatter={(value: number) => plot.yTicks.find((one) => one.value === value)?.label ?? ''}
          width={box.left}
          tick={tick}
          tickLine={false}
          axisLine={false}
          interval={0}
          allowDataOverflow
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--line-strong)' }}
          content={({ active, label }) =>
            active && typeof label === 'number' ? <Hover plot={plot} ms={label} /> : null
          }
        />
        {!plot.overlaid &&
          plot.series.flatMap((series) =>
            series.bars
              .filter((bar) => bar.count > 0)
              .map((bar) => {
                const share = place(bar.toMs, plot.xDomain, plot.scale) - place(bar.fromMs, plot.xDomain, plot.scale)
                return (
                  <ReferenceArea
                    key={`${bar.fromMs} ${bar.toMs}`}
                    x1={Math.max(bar.fromMs, plot.xDomain[0])}
                    x2={bar.toMs}
                    y1={0}
                    y2={bar.height}
                    fill={series.style.color}
                    fillOpacity={0.75}
                    // A seam would eat a narrow bar.
                    stroke={share > 0.008 ? 'var(--surface)' : series.style.color}
                    strokeOpacity={share > 0.008 ? 1 : 0.75}
                  />
                )
              }),
          )}
        {plot.series.map((series, index) => (
          <Line
            key={series.id}
            dataKey={`s${index}`}
            name={series.name}
            stroke={plot.overlaid ? series.style.color : 'none'}
            {...strokeOf(series)}
            strokeDasharray={series.style.dash}
            // A line is never filled, but its style is: an outline begins and ends on the axis.
            {...(plot.overlaid && { style: { fill: series.style.color, fillOpacity: outlineOpacity(series) } })}
            dot={false}
            activeDot={false}
            connectNulls
            isAnimationActive={false}
          />
        ))}
      </ComposedChart>
    </ResponsiveContainer>
  )
}
