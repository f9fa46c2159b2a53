import type { HistogramPlot, HistogramSeries } from './latency-histogram'
import { strokeOf } from './repeats'
import { place } from './scale'
import { BaseLine, StaticBox, XTicks, percent } from './static-box'

/** The histogram without JavaScript: bars for one run, outlines for several. */
export function LatencyHistogramSvg({ plot }: { plot: HistogramPlot }) {
  const x = (ms: number) => place(ms, plot.xDomain, plot.scale)
  const y = (value: number) => 1 - place(value, plot.yDomain, 'linear')
  return (
    <StaticBox
      title={plot.title}
      series={plot.series}
      yTicks={plot.yTicks.map(({ value, label }) => ({ at: y(value), label }))}
    >
      <XTicks ticks={plot.xTicks.map(({ ms, label }) => ({ at: x(ms), label }))} />
      {plot.series.map((one) =>
        plot.overlaid ? (
          <Outline key={one.id} series={one} x={x} y={y} />
        ) : (
          <Bars key={one.id} series={one} x={x} y={y} />
        ),
      )}
      <BaseLine />
    </StaticBox>
  )
}

interface Scales {
  readonly series: HistogramSeries
  readonly x: (ms: number) => number
  readonly y: (value: number) => number
}

function Bars({ series, x, y }: Scales) {
  return series.bars
    .filter((bar) => bar.count > 0)
    .map((bar) => (
      <rect
        key={`${bar.fromMs} ${bar.toMs}`}
        x={percent(x(bar.fromMs))}
        width={percent(Math.max(x(bar.toMs) - x(bar.fromMs), 0.002))}
        y={percent(y(bar.height))}
        height={percent(1 - y(bar.height))}
        fill={series.style.color}
        fillOpacity={0.75}
        // A seam would eat a narrow bar.
        stroke={x(bar.toMs) - x(bar.fromMs) > 0.008 ? 'var(--surface)' : 'none'}
      />
    ))
}

function Outline({ series, x, y }: Scales) {
  const at = (ms: number, value: number) => `${(x(ms) * 1000).toFixed(1)} ${(y(value) * 1000).toFixed(1)}`
  const steps = series.bars
    .filter((bar) => bar.toMs > bar.fromMs)
    .map((bar) => `L${at(bar.fromMs, bar.height)}L${at(bar.toMs, bar.height)}`)
  const first = series.bars[0]?.fromMs ?? 0
  const last = series.bars.at(-1)?.toMs ?? 0
  return (
    <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
      <path
        d={`M${at(first, 0)}${steps.join('')}L${at(last, 0)}`}
        fill={series.style.color}
        fillOpacity={series.side ? 0.04 : 0.12}
        stroke={series.style.color}
        {...strokeOf(series)}
        strokeDasharray={series.style.dash}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
