import { toCsv, type CsvCell } from '../../../lib/export/csv'
import { quantileName, xToQuantile } from '../../../lib/stats/quantile'
import { barEnds, type Heading, type LineMark, type Mark, type Panel, type Plot } from './model'

/** A column: its header, and its value at a place of the x axis. */
interface Column {
  readonly name: string
  readonly values: ReadonlyMap<number, CsvCell>
}

/**
 * The figures of a plot as they are drawn, unrounded: a row per place of the x axis, a column per line, edge of a band
 * of percentiles, bar or max. A line whose values are places in its box (a trend) is written as it is read.
 */
export function csvOf(plot: Plot): string {
  const columns = plot.panels.flatMap((panel) => panel.marks.flatMap((mark) => columnsOf(plot, panel, mark)))
  const xs = [...new Set(columns.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b)
  const head = [placeName(plot.heading), ...columns.map(({ name }) => name)]
  return toCsv([head, ...xs.map((x) => [placeAt(plot, x), ...columns.map(({ values }) => values.get(x) ?? null)])])
}

function columnsOf(plot: Plot, panel: Panel, mark: Mark): readonly Column[] {
  const own = plot.series[mark.series]?.name ?? ''
  const name = panel.title === undefined ? own : own === '' ? panel.title : `${panel.title}, ${own}`
  const column = (more: string, values: readonly (readonly [number, CsvCell])[]): Column => ({
    name: `${name}${more}`,
    values: new Map(values),
  })
  switch (mark.kind) {
    case 'line':
      return [column('', valuesOf(plot, mark))]
    case 'band':
      // On other plots, a band is a shade, in shares of the box.
      return mark.x.length === 0 || plot.heading?.kind !== 'quantile'
        ? []
        : [
            column(
              ', low',
              mark.x.map((x, at) => [x, mark.low[at] ?? null]),
            ),
            column(
              ', high',
              mark.x.map((x, at) => [x, mark.high[at] ?? null]),
            ),
          ]
    case 'bars': {
      const heights = mark.counts ?? mark.y
      // Lines over time have their points in the middle of the time that their bars cover.
      const middle = plot.heading?.kind === 'elapsed' ? plot.heading.binMs / 2 : null
      const bars = column(
        '',
        mark.from.map((from, at) => [from + (middle ?? 0), heights[at] ?? null]),
      )
      const ends = barEnds(mark)
      return middle === null
        ? [
            column(
              ', to',
              mark.from.map((from, at) => [from, ends[at] ?? null]),
            ),
            bars,
          ]
        : [bars]
    }
    case 'peak':
      return [column(', max', [[mark.x, mark.y]])]
    case 'dots':
    case 'spans':
    case 'cells':
    case 'rows':
    case 'range':
    case 'label':
      return []
  }
}

const valuesOf = ({ places }: Plot, { at, y, texts }: LineMark): readonly (readonly [number, CsvCell])[] =>
  at.flatMap((place, index) => {
    const x = places[place]
    const value = y[index] ?? null
    return x === undefined ? [] : [[x, value === null ? null : (texts?.[index] ?? value)] as const]
  })

function placeName(heading: Heading | null): string {
  switch (heading?.kind) {
    case 'quantile':
      return 'percentile'
    case 'elapsed':
      return 'ms since the start'
    case 'times':
      return 'time'
    case 'texts':
      return 'place'
    case undefined:
    case 'latency':
    case 'share':
    case 'bar':
      return 'latency, ms'
  }
}

function placeAt({ heading, places, x: { ticks } }: Plot, x: number): CsvCell {
  const at = places.indexOf(x)
  switch (heading?.kind) {
    case 'quantile':
      return at < 0 ? (ticks.find((tick) => tick.at === x)?.label ?? x) : quantileName(xToQuantile(x))
    case 'elapsed':
      return x - heading.binMs / 2
    case 'times': {
      const ms = heading.times[at]
      return ms === undefined ? null : new Date(ms).toISOString()
    }
    case 'texts':
      return heading.texts[at] ?? null
    case undefined:
    case 'latency':
    case 'share':
    case 'bar':
      return x
  }
}
