import type { HistogramPlot, HistogramSeries } from './latency-histogram'
import { element, joined, pathThrough, percent, stretched, type Markup, type Place } from './markup'
import { outlineOpacity } from './repeats'
import { place } from './scale'
import { baseLineMarkup, labelOf, lineMarkup, StaticBox, xTicksMarkup } from './static-box'

/** The histogram without JavaScript: bars for one run, outlines for several. */
export function LatencyHistogramSvg({ plot }: { plot: HistogramPlot }) {
  const x = (ms: number) => place(ms, plot.xDomain, plot.scale)
  const y = (value: number) => 1 - place(value, plot.yDomain, 'linear')
  const draw = plot.overlaid ? outlineMarkup : barsMarkup
  return (
    <StaticBox
      label={labelOf(plot.title, plot.series)}
      yTicks={plot.yTicks.map(({ value, label }) => ({ at: y(value), label }))}
      drawing={joined(
        xTicksMarkup(plot.xTicks.map(({ ms, label }) => ({ at: x(ms), label }))),
        ...plot.series.map((series) => draw({ series, x, y })),
        baseLineMarkup(),
      )}
    />
  )
}

interface Scales {
  readonly series: HistogramSeries
  readonly x: (ms: number) => number
  readonly y: (value: number) => number
}

function barsMarkup({ series, x, y }: Scales): Markup {
  const bars = series.bars
    .filter((bar) => bar.count > 0)
    .map((bar) => {
      const width = x(bar.toMs) - x(bar.fromMs)
      return element('rect', {
        x: percent(x(bar.fromMs)),
        width: percent(Math.max(width, 0.002)),
        y: percent(y(bar.height)),
        height: percent(1 - y(bar.height)),
        // A seam would eat a narrow bar.
        stroke: width > 0.008 ? 'var(--surface)' : undefined,
      })
    })
  return element('g', { fill: series.style.color, 'fill-opacity': 0.75 }, joined(...bars))
}

function outlineMarkup({ series, x, y }: Scales): Markup {
  const steps = series.bars
    .filter((bar) => bar.toMs > bar.fromMs)
    .flatMap((bar): readonly Place[] => [
      [x(bar.fromMs), y(bar.height)],
      [x(bar.toMs), y(bar.height)],
    ])
  const [first, last] = [series.bars[0]?.fromMs ?? 0, series.bars.at(-1)?.toMs ?? 0]
  const path = pathThrough([[x(first), y(0)], ...steps, [x(last), y(0)]])
  return stretched(lineMarkup(series, path, outlineOpacity(series)))
}
