import { columnUnit, formatChange, formatInColumn, formatMetric, formatTick } from '../../../lib/format'
import { base, control, head } from '../../../lib/experiment/round'
import type { Metric } from '../../../lib/run/metrics'
import { ofLayers, type Layer } from '../layers'
import { axisOver } from '../plot/latency-axis'
import type { Prepared } from '../plot/model'
import { seriesStyle } from '../plot/scale'
import { ticksAround } from '../rounds'

/** A round that counts. */
export interface CountedRound {
  /** Its arms as they ran. */
  readonly order: readonly string[]
  readonly values: Readonly<Record<string, number>>
}

/** Width of a round between its first and its last place. */
const spread = 0.5
const placeNames = ['first', 'second', 'third'] as const
/** With more rounds, every fifth is named. */
const maxNamed = 14

/** Prepares a mark for each run, left to right in the order in which they ran. Null: no round counts yet. */
export function preparePairs(
  rounds: readonly CountedRound[],
  arms: readonly string[],
  metric: Metric,
): Prepared | null {
  if (rounds.length === 0) return null
  const unit = columnUnit(
    metric.unit,
    rounds.flatMap(({ values }) => Object.values(values)),
  )
  const ticks = ticksAround(
    rounds.flatMap(({ values }) => Object.values(values)),
    unit.factor,
  )
  const words = unit.label === '' || unit.label === '/s' ? '' : ` (${unit.label})`
  const runs = rounds.flatMap(({ order, values }, at) =>
    order.map((arm, place) => ({
      ...{ arm, round: at + 1, place, value: values[arm] ?? null },
      x: at + 1 + (order.length < 2 ? 0 : (place / (order.length - 1) - 0.5) * spread),
    })),
  )
  const changes = rounds.map(({ values }) => changeOf(values))
  const from = ticks[0] === 0 ? '' : `; the axis starts at ${formatInColumn(ticks[0] ?? 0, metric.unit, unit)}`
  const { series, marks } = ofLayers(arms.map((arm): Layer => armLayer(arm, { runs, metric, rounds })))
  return {
    plot: {
      id: 'pairs',
      title: `${metric.label} in each round${words}`,
      x: {
        scale: 'linear',
        domain: [0.5, rounds.length + 0.5],
        ticks: rounds
          .map((_, at) => ({ at: at + 1, label: String(at + 1) }))
          .filter(({ at }) => rounds.length <= maxNamed || at === 1 || at % 5 === 0),
      },
      series,
      panels: [
        {
          y: axisOver(ticks, (at) => formatTick(at * unit.factor)),
          marks,
          says: 'count',
          frame: 'middle',
        },
      ],
      places: runs.map(({ x }) => x),
      heading: {
        kind: 'texts',
        texts: runs.map(
          ({ round, place }) => `Round ${round}, ${placeNames[place] ?? ''}; head ${changes[round - 1] ?? ''}`,
        ),
      },
      legend: 'markers',
      footnote: `Left to right in the order in which they ran${from}.`,
    },
    table: () => ({
      head: ['Round', 'Order', ...arms.map((arm) => `${arm}${words}`), 'Head against base'],
      rows: rounds.map(({ order, values }, at) => [
        String(at + 1),
        order.join(', '),
        ...arms.map((arm) => formatInColumn(values[arm] ?? null, metric.unit, unit)),
        changes[at] ?? '',
      ]),
    }),
  }
}

const changeOf = (values: CountedRound['values']): string =>
  formatChange((values[head] ?? Number.NaN) / (values[base] ?? Number.NaN) - 1)

interface Run {
  readonly arm: string
  readonly round: number
  readonly value: number | null
  readonly x: number
}

interface Known {
  readonly runs: readonly Run[]
  readonly metric: Metric
  readonly rounds: readonly CountedRound[]
}

const styleOf = (arm: string) =>
  arm === control ? { color: 'var(--muted)', dash: '', marker: 'diamond' as const } : seriesStyle(arm === base ? 0 : 1)

/** Head has the span from base to it. */
function armLayer(arm: string, { runs, metric, rounds }: Known): Layer {
  const own = runs.map((run, at) => ({ ...run, at })).filter((run) => run.arm === arm)
  const y = own.map(({ value }) => value)
  const texts = y.map((value) => formatMetric(value, metric.unit))
  const spans = rounds.map(({ values }) => [values[base] ?? 0, values[head] ?? 0])
  return {
    series: { id: arm, name: arm, style: styleOf(arm) },
    marks: [
      { kind: 'line', at: own.map(({ at }) => at), y, width: 0, reads: 'exact', texts },
      {
        kind: 'dots',
        of: 0,
        which: own.map((_, at) => at),
        isHollow: arm === control,
        size: arm === control ? 0.8 : 1,
      },
      ...(arm === head
        ? [
            {
              kind: 'spans' as const,
              x: own.map(({ x }) => x),
              low: spans.map((ends) => Math.min(...ends)),
              high: spans.map((ends) => Math.max(...ends)),
            },
          ]
        : []),
    ],
  }
}
