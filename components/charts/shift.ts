import { columnUnit, formatInColumn, formatTick, type ColumnUnit } from '../../lib/format'
import { printableName, quantileName } from '../../lib/stats/quantile'
import { quantileShift, type ShiftPoint } from '../../lib/stats/shift'
import { axisOver } from './plot/latency-axis'
import { nameAtEnd, percentileAxis } from './percentiles'
import type { Axis, Mark, PlotTable, Prepared, Series } from './plot/model'
import { linearTicks, rankOf, seriesStyle, short } from './plot/scale'
import type { PlottedRun } from './plotted-run'

/** How much slower a candidate is than the base at each percentile. */
export interface ShiftLine extends Series {
  readonly points: readonly ShiftPoint[]
}

/** The shift of each candidate as a plot: zero is the base. */
export interface PreparedShift extends Prepared {
  readonly lines: readonly ShiftLine[]
}

/**
 * Prepares the shift of each later side from the first, where both have a percentile; null when they share none.
 * `above`: the axis of the plot above it, so that one cursor runs through both; absent: its own.
 */
export function prepareShift(
  sides: readonly (readonly Pick<PlottedRun, 'id' | 'imported'>[])[],
  names: readonly string[],
  above?: Axis,
): PreparedShift | null {
  const [base = [], ...others] = sides.map((side) => side.map(({ imported }) => imported))
  const lines = others.flatMap((head, at): ShiftLine[] => {
    const points = quantileShift(base, head)
    const id = sides[at + 1]?.[0]?.id ?? String(at)
    return points.length < 2 ? [] : [{ id, name: names[at + 1] ?? '', style: seriesStyle(at + 1), points }]
  })
  if (lines.length === 0) return null
  const all = lines.flatMap((one) => one.points)
  const reached = all.flatMap((point) => [point.ms, point.lowMs ?? point.ms, point.highMs ?? point.ms, 0])
  const [least, most] = [Math.min(...reached), Math.max(...reached)]
  const unit = columnUnit('ms', [Math.max(-least, most)])
  const lastX = Math.max(...all.map((point) => point.x))
  const axis = above !== undefined && above.domain[1] >= lastX ? above : percentileAxis(lastX).axis
  const { places, placeOf } = rankOf(all.map(({ x }) => x))
  const hasBand = all.some(({ lowMs }) => lowMs !== null)
  const title = `Shift from ${names[0] ?? 'the baseline'} by percentile (${unit.label}; above 0: slower)`
  return {
    plot: {
      id: 'shift',
      title,
      // A max is no percentile: it has no shift.
      x: { ...axis, ticks: axis.ticks.filter(({ label }) => label !== 'max') },
      series: lines.map(({ points: _, ...series }) => series),
      panels: [
        {
          label: title,
          y: shiftAxis(least, most, unit),
          rules: [{ kind: 'zero', at: 0, label: '', title: '' }],
          marks: [...lines.flatMap((line, at) => marksOf(line, at, placeOf)), ...endsOf(lines, unit)],
          says: 'shift',
          frame: 'shift',
        },
      ],
      places,
      heading: { kind: 'quantile' },
      link: 'quantile',
      legend: 'markers',
      footnote: hasBand ? 'Band: range of the repeats, or the sampling error within one run.' : null,
    },
    lines,
    table: () => tableOf(lines, unit),
  }
}

/** Room beyond the largest shift, as a factor. */
const headroom = 1.12
/** So low a drawing has few ticks. */
const maxTicks = 4

/** From the largest shift below zero to the largest above it, with round ticks, one at zero. */
function shiftAxis(least: number, most: number, { factor }: ColumnUnit): Axis {
  const [from, to] = [least * headroom, most * headroom || (least === 0 ? 1 : 0)]
  const [, fine = 1] = linearTicks(Math.max(-from, to) * factor)
  const count = (step: number) => Math.floor((-from * factor) / step) + Math.floor((to * factor) / step) + 1
  const step = [fine, 2 * fine, 5 * fine].find((one) => count(one) <= maxTicks) ?? 5 * fine
  const first = Math.ceil((from * factor) / step - 1e-9)
  const ticks = Array.from(
    { length: Math.floor((to * factor) / step + 1e-9) - first + 1 },
    (_, at) => Number(((first + at) * step).toPrecision(12)) / factor,
  )
  const label = (ms: number) => (ms > 0 ? '+' : '') + formatTick(ms * factor)
  return { ...axisOver(ticks, label), domain: [from, to] }
}

/** With more lines, fills would cover each other, and only the legend distinguishes the ends. */
const maxFilled = 2
const maxLabelled = 6

/** Four marks per line: the dots belong to the line, between it and zero is its area. */
function marksOf({ points }: ShiftLine, series: number, placeOf: (x: number) => number): readonly Mark[] {
  const banded = points.filter(({ lowMs }) => lowMs !== null)
  const edge = (of: (point: ShiftPoint) => number | null) => banded.map((point) => short(of(point) ?? point.ms))
  const [low, high] = [edge(({ lowMs }) => lowMs), edge(({ highMs }) => highMs)]
  const at = points.map(({ x }) => placeOf(x))
  const y = points.map(({ ms }) => short(ms))
  const isFilled = series < maxFilled
  const filled = isFilled ? points.map(({ x }) => x) : []
  const toZero = isFilled ? y : []
  return [
    { kind: 'band', series, x: filled, low: toZero, high: toZero.map(() => 0), opacity: 0.12 },
    { kind: 'band', series, x: banded.map(({ x }) => x), low, high, opacity: 0.15 },
    { kind: 'line', series, at, y, width: 2, reads: 'exact' },
    { kind: 'dots', series, of: series * 4 + 2, which: points.map((_, index) => index), isHollow: false, size: 1 },
  ]
}

/** The last shift of each line, with its percentile or its name. */
function endsOf(lines: readonly ShiftLine[], unit: ColumnUnit): readonly Mark[] {
  if (lines.length > maxLabelled) return []
  return lines.flatMap(({ name, points }, series): Mark[] => {
    const end = points.at(-1)
    if (end === undefined) return []
    const more = lines.length > 1 ? nameAtEnd(name) : atName(end.q)
    return [{ kind: 'label', series, x: end.x, y: end.ms, text: signed(end.ms, unit), more }]
  })
}

/** `at p99`; empty for a place between the percentiles that people name. */
function atName(q: number): string {
  const name = printableName(q)
  return name === null ? '' : `at ${name}`
}

const signed = (ms: number, unit: ColumnUnit): string =>
  `${ms > 0 ? '+' : ms < 0 ? '\u2212' : ''}${formatInColumn(Math.abs(ms), 'ms', unit)}`

function tableOf(lines: readonly ShiftLine[], unit: ColumnUnit): PlotTable {
  const qs = [...new Set(lines.flatMap((one) => one.points.map((point) => point.q)))].sort((a, b) => a - b)
  const cell = (point: ShiftPoint | undefined) => {
    if (!point) return formatInColumn(null, 'ms', unit)
    const { ms, lowMs, highMs } = point
    const range = lowMs === null || highMs === null ? '' : ` (${signed(lowMs, unit)} to ${signed(highMs, unit)})`
    return signed(ms, unit) + range
  }
  return {
    head: ['Percentile', ...lines.map((one) => `${one.name} (${unit.label})`)],
    rows: qs.map((q) => [quantileName(q), ...lines.map((one) => cell(one.points.find((point) => point.q === q)))]),
  }
}
