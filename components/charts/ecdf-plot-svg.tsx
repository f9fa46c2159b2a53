import type { EcdfPlot, EcdfSeries } from './ecdf-plot'
import { marksMarkup } from './marker'
import { joined, pathThrough, stretched, type Markup, type Place } from './markup'
import { place } from './scale'
import { baseLineMarkup, labelOf, lineMarkup, StaticBox, xTicksMarkup } from './static-box'

/** The shares at or below each latency without JavaScript, in the box of the other charts. */
export function EcdfPlotSvg({ plot }: { plot: EcdfPlot }) {
  const x = (ms: number) => place(ms, plot.xDomain, plot.scale)
  return (
    <StaticBox
      label={labelOf(plot.title, plot.series)}
      yTicks={plot.yTicks.map(({ value, label }) => ({ at: 1 - value, label }))}
      drawing={joined(
        xTicksMarkup(plot.xTicks.map(({ ms, label }) => ({ at: x(ms), label }))),
        ...plot.series.map((one) => curveMarkup(one, x)),
        baseLineMarkup(),
      )}
    />
  )
}

function curveMarkup(series: EcdfSeries, x: (ms: number) => number): Markup {
  const { points, style, steps, marked } = series
  const at = points.map(({ ms, share }): Place => [x(ms), 1 - share])
  // A step holds until the next point.
  const corners = at.flatMap((to, index): readonly Place[] => {
    const from = at[index - 1]
    return steps && from ? [[to[0], from[1]], to] : [to]
  })
  const mark = { shape: style.marker, color: style.color, hollow: false }
  const marks = marked ? marksMarkup(mark, at) : joined()
  return joined(stretched(lineMarkup(series, pathThrough(corners))), marks)
}
