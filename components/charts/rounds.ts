import { columnUnit, formatChange, formatInColumn, formatMetric, formatTick } from '../../lib/format'
import type { Comparison } from '../../lib/judge/comparison'
import { axisOver } from './plot/latency-axis'
import type { Mark, Prepared } from './plot/model'
import { linearTicks, seriesStyle } from './plot/scale'

type Rounds = NonNullable<Comparison['rounds']>

/** Prepares a pair of dots per round: drift of the machine moves both. Null: the sides were not run in turn. */
export function prepareRounds(rounds: Comparison['rounds'], names: readonly string[]): Prepared | null {
  if (rounds === null) return null
  const { metric, pairs } = rounds
  const values = pairs.flatMap(({ base, head }) => [base, head])
  const unit = columnUnit(metric.unit, values)
  const ticks = ticksAround(values, unit.factor)
  const places = pairs.map((_, at) => at + 1)
  const changes = pairs.map(({ base, head }) => (base === 0 ? '' : formatChange(head / base - 1)))
  const words = unit.label === '' || unit.label === '/s' ? '' : ` (${unit.label})`
  const from = ticks[0] === 0 ? '' : `; the axis starts at ${formatInColumn(ticks[0] ?? 0, metric.unit, unit)}`
  return {
    plot: {
      id: 'rounds',
      title: `${metric.label} in each round${words}`,
      x: {
        scale: 'linear',
        domain: [0.5, pairs.length + 0.5],
        ticks: places.map((at) => ({ at, label: String(at) })),
      },
      series: ['base', 'head'].map((id, at) => ({ id, name: names[at] ?? '', style: seriesStyle(at) })),
      panels: [
        {
          y: axisOver(ticks, (at) => formatTick(at * unit.factor)),
          marks: marksOf(rounds, changes),
          says: 'count',
          frame: 'middle',
        },
      ],
      places,
      heading: { kind: 'texts', texts: changes.map((change, at) => `Round ${at + 1}: ${change}`) },
      legend: 'markers',
      footnote: `One dot a side and round${from}.`,
    },
    table: () => ({
      head: ['Round', ...names.map((name) => `${name}${words}`), 'Change'],
      rows: pairs.map(({ base, head }, at) => [
        String(at + 1),
        ...[base, head].map((value) => formatInColumn(value, metric.unit, unit)),
        changes[at] ?? '',
      ]),
    }),
  }
}

/** Not from 0: readers compare the distance of two dots, which an axis from 0 would hide. */
export function ticksAround(values: readonly number[], factor: number): readonly number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const step = linearTicks(Math.max(most - least, most * 0.02) * factor)[1] ?? 1
  const first = Math.floor((least * factor) / step - 0.3)
  const last = Math.ceil((most * factor) / step + 0.3)
  return Array.from(
    { length: last - first + 1 },
    (_, at) => Number(((Math.max(0, first) + at) * step).toPrecision(12)) / factor,
  )
}

/** With more rounds, the changes would cover each other; the cursor and the table have them. */
const maxLabelled = 8

/** A span from dot to dot in each round, the dots of both sides, and the change beside those of the head. */
function marksOf({ metric, pairs }: Rounds, changes: readonly string[]): readonly Mark[] {
  const which = pairs.map((_, at) => at)
  const dots = (values: readonly number[], series: number): readonly Mark[] => {
    const texts = values.map((value) => formatMetric(value, metric.unit))
    return [
      { kind: 'line', series, at: which, y: values, width: 0, reads: 'exact', texts },
      { kind: 'dots', series, of: 1 + 2 * series, which, isHollow: false, size: 1 },
    ]
  }
  const labels = pairs.map(({ head }, at): Mark => {
    return { kind: 'label', series: 1, x: at + 1, y: head, text: changes[at] ?? '', more: '' }
  })
  return [
    {
      kind: 'spans',
      series: 1,
      x: which.map((at) => at + 1),
      low: pairs.map(({ base, head }) => Math.min(base, head)),
      high: pairs.map(({ base, head }) => Math.max(base, head)),
    },
    ...dots(
      pairs.map(({ base }) => base),
      0,
    ),
    ...dots(
      pairs.map(({ head }) => head),
      1,
    ),
    ...(pairs.length > maxLabelled ? [] : labels),
  ]
}
