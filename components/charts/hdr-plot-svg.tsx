import type { HdrPlot, HdrPoint, HdrSeries } from './hdr-plot'
import { marksMarkup } from './marker'
import { element, joined, pathThrough, percent, stretched, words, type Markup, type Place } from './markup'
import styles from './plot.module.css'
import { place } from './scale'
import { baseLineMarkup, labelOf, lineMarkup, quantileTicksMarkup, StaticBox } from './static-box'

/** The percentile plot without JavaScript: positions are percentages of its box, so text keeps its size at any width. */
export function HdrPlotSvg({ plot }: { plot: HdrPlot }) {
  const x = (value: number) => place(value, plot.xDomain, 'log')
  const y = (ms: number) => 1 - place(ms, plot.yDomain, plot.scale)
  const at = (point: HdrPoint): Place => [x(point.x), y(point.ms)]
  const ticks = plot.xTicks.map((tick) => ({ ...tick, at: x(tick.x) }))
  return (
    <StaticBox
      label={labelOf(plot.title, plot.series)}
      yTicks={plot.yTicks.map(({ ms, label }) => ({ at: y(ms), label }))}
      drawing={joined(
        quantileTicksMarkup(ticks),
        baseLineMarkup(),
        ...plot.series.map((one) => seriesMarkup(one, at)),
        ...(plot.limit === null ? [] : [limitMarkup(plot.limit, percent(y(plot.limit.ms)))]),
      )}
    />
  )
}

function limitMarkup({ label, side }: NonNullable<HdrPlot['limit']>, y: string): Markup {
  const end = side === 'left' ? { dx: 6 } : { x: '100%', dx: -6, 'text-anchor': 'end' }
  return joined(
    element('line', { x2: '100%', y1: y, y2: y, class: styles.limit }),
    element('text', { ...end, y, dy: -5, class: styles.limitLabel }, words(label)),
  )
}

function seriesMarkup(series: HdrSeries, at: (point: HdrPoint) => Place): Markup {
  const { points, style } = series
  const firstFaded = points.findIndex((point) => !point.supported)
  const solid = firstFaded < 0 ? points : points.slice(0, firstFaded)
  const faded = firstFaded < 0 ? [] : points.slice(Math.max(0, firstFaded - 1))
  const line = (part: readonly HdrPoint[]) => lineMarkup(series, pathThrough(part.map(at)))
  const marked = series.side ? [] : points.filter((point) => point.marked)
  const marks = [true, false].map((supported) => {
    const places = marked.filter((point) => point.supported === supported).map(at)
    return marksMarkup({ shape: style.marker, color: style.color, hollow: !supported }, places)
  })
  const fading = faded.length === 0 ? joined() : element('g', { opacity: 0.4 }, line(faded))
  return joined(stretched(joined(line(solid), fading)), ...marks)
}
