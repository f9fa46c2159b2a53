import { columnUnit, formatChange, formatInColumn, formatMetric, formatTick } from '../../lib/format'
import type { Comparison } from '../../lib/judge/comparison'
import type { Series, Mark, Prepared } from './plot/model'
import { linearTicks, seriesStyle } from './plot/scale'

/** Prepares a pair of dots per round: drift of the machine moves both. Null: the sides were not run in turn. */
export function prepareRounds(rounds: Comparison['rounds'], names: readonly string[]): Prepared | null {
  if (rounds === null) return null
  const { metric, pairs } = rounds
  const values = pairs.flatMap(({ base, head }) => [base, head])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const unit = columnUnit(metric.unit, values)
  // Not from 0: readers compare the distance of two dots, which an axis from 0 would hide.
  const step = linearTicks(Math.max(most - least, most * 0.02) * unit.factor)[1] ?? 1
  const first = Math.floor((least * unit.factor) / step - 0.3)
  const last = Math.ceil((most * unit.factor) / step + 0.3)
  const ticks = Array.from(
    { length: last - first + 1 },
    (_, at) => Number(((Math.max(0, first) + at) * step).toPrecision(12)) / unit.factor,
  )
  const series: readonly Series[] = [0, 1].map((at) => ({
    id: at === 0 ? 'base' : 'head',
    name: names[at] ?? '',
    style: seriesStyle(at),
  }))
  const places = pairs.map((_, at) => at + 1)
  const which = pairs.map((_, at) => at)
  const side = (of: 'base' | 'head', at: number): readonly Mark[] => [
    {
      kind: 'line',
      series: at,
      at: which,
      y: pairs.map((pair) => pair[of]),
      width: 0,
      reads: 'exact',
      texts: pairs.map((pair) => formatMetric(pair[of], metric.unit)),
    },
    { kind: 'dots', series: at, of: 1 + 2 * at, which, isHollow: false, size: 1 },
  ]
  const changes = pairs.map(({ base, head }) => (base === 0 ? '' : formatChange(head / base - 1)))
  const from = ticks[0] === 0 ? '' : `; the axis starts at ${formatInColumn(ticks[0] ?? 0, metric.unit, unit)}`
  const words = unit.label === '' || unit.label === '/s' ? '' : ` (${unit.label})`
  const title = `${metric.label} in each round${words}`
  return {
    plot: {
      id: 'rounds',
      title,
      x: {
        scale: 'linear',
        domain: [0.5, pairs.length + 0.5],
        ticks: places.map((at) => ({ at, label: String(at) })),
      },
      series,
      panels: [
        {
          y: {
            scale: 'linear',
            domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1],
            ticks: ticks.map((at) => ({ at, label: formatTick(at * unit.factor) })),
          },
          marks: [
            {
              kind: 'spans',
              series: 1,
              x: places,
              low: pairs.map(({ base, head }) => Math.min(base, head)),
              high: pairs.map(({ base, head }) => Math.max(base, head)),
            },
            ...side('base', 0),
            ...side('head', 1),
            // With many rounds, the changes would cover each other; the cursor and the table have them.
            ...(pairs.length > 8
              ? []
              : pairs.map(({ head }, at): Mark => ({
                  kind: 'label',
                  series: 1,
                  x: at + 1,
                  y: head,
                  text: changes[at] ?? '',
                  more: '',
                }))),
          ],
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
