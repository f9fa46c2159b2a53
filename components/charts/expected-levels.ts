import { columnUnit, formatAxisDay, formatInColumn, formatMoment, missing, plural } from '@/lib/format'
import type { JudgedState } from '@/lib/run/judged-states'
import { sinceWords, type MetricJudgement, type StatedLevel } from '@/lib/run/judgement'
import type { Metric } from '@/lib/run/metrics'
import type { UtcIso } from '@/lib/run/run'
import { ofLayers, type Layer, type LayerMark } from './layers'
import type { PlotTable, Prepared, Rule } from './plot/model'
import { stateStyle } from './plot/state-style'
import { fittedTicksOf, tickLabel } from './trend'

/** What one figure of a run is held against. */
export interface ExpectedLevelsInput {
  readonly id: string
  readonly metric: Metric
  readonly levels: readonly StatedLevel[]
  /** The change between two levels; null: there is one level. */
  readonly change: MetricJudgement['change']
  readonly value: number
  /** Of the run. */
  readonly orderedAt: UtcIso
  readonly state: JudgedState | null
}

/** Where a level is drawn: the width stands for its runs, and the last place is the run's own. */
interface Drawn extends StatedLevel {
  readonly ends: readonly [left: number, right: number]
  readonly look: { readonly band: string; readonly opacity: number; readonly line: string }
}

/** The narrowest band that has room for its words, share of the width. */
const minShare = 0.36
/** Height of a level's line, share of the axis: the cursor reads the run only. */
const thin = 0.004

/**
 * A run in the levels that its judgement rests on: each as a band and a line, without the runs behind them. Null: its
 * judgement states no level.
 */
export function prepareExpectedLevels(input: ExpectedLevelsInput): Prepared | null {
  const { id, metric, levels, change, value, orderedAt, state } = input
  if (levels.length === 0) return null
  const unit = columnUnit(metric.unit, [value])
  const show = (figure: number) => formatInColumn(figure, metric.unit, unit)
  const ticks = fittedTicksOf(metric, [value, ...levels.flatMap(({ low, high }) => [low, high])])
  const domain = [ticks[0] ?? 0, ticks.at(-1) ?? 1] as const
  const drawn = placed(levels, state)
  const { series, marks } = ofLayers([
    ...drawn.flatMap((level) => levelLayers(level, domain)),
    runLayer(input, show),
    ...drawn.map((level) => wordsLayer(level, domain, show)),
  ])
  const [title, count] = [`${metric.label}${unit.label ? `, ${unit.label}` : ''}`, runsOf(levels)]
  const [edge, since] = [drawn.at(-1)?.ends[0] ?? 0, levels.length > 1 ? change : null]
  return {
    plot: {
      id,
      title: `${title}: this run and its level`,
      x: {
        scale: 'linear',
        domain: [0, 1],
        ticks: [
          ...(since === null ? [] : [{ at: edge, label: formatAxisDay(since.since) }]),
          { at: runAt, label: formatAxisDay(orderedAt), anchor: 'end' as const },
        ],
      },
      series,
      panels: [
        {
          label: `${title} of this run ${show(value)}; ${drawn.map((level) => wordsOf(level, show).join(' ')).join('; ')}`,
          marks,
          rules: since === null ? [] : [ruleOf(since, edge, state)],
          says: 'count',
          frame: 'trend',
          y: {
            scale: 'linear',
            domain,
            ticks: ticks.map((at) => ({ at, label: tickLabel(metric, at, unit, false) })),
            isBroken: metric.unit !== 'ratio' && domain[0] > 0,
          },
        },
      ],
      places: [runAt],
      heading: { kind: 'times', times: [Date.parse(orderedAt)] },
      note: `Bands: where a run of the level is expected, by ${count}, which are not shown.`,
    },
    table: () => tableOf(input, title, show),
  }
}

/** Place of the run, where the bands end: its value is right of them. */
const runAt = 0.96

const runsOf = (levels: readonly StatedLevel[]): string =>
  levels.map(({ of, runs }) => `${plural(runs, 'run')}${of === 'own' ? '' : ` ${of}`}`).join(' and ')

function placed(levels: readonly StatedLevel[], state: JudgedState | null): readonly Drawn[] {
  const [older, newer] = levels
  const share = older && newer ? older.runs / (older.runs + newer.runs + 1) : 1
  const edge = newer === undefined ? runAt : Math.min(1 - minShare, Math.max(minShare, share))
  const { color } = stateStyle(state)
  return levels.map((level) => ({
    ...level,
    ends: level.of === 'since' ? ([edge, runAt] as const) : ([0, edge] as const),
    look:
      level.of === 'since'
        ? { band: color, opacity: 0.14, line: color }
        : { band: 'var(--band)', opacity: 1, line: 'var(--median)' },
  }))
}

const layer = (id: string, name: string, color: string, ...marks: readonly LayerMark[]): Layer => ({
  series: { id, name, style: { color, dash: '', marker: 'circle' } },
  marks,
})

const area = (x: Drawn['ends'], low: number, high: number, opacity: number): LayerMark => ({
  ...{ kind: 'band', x, low: [low, low], high: [high, high], opacity },
})

function levelLayers({ of, ends, level, low, high, look }: Drawn, domain: readonly [number, number]): readonly Layer[] {
  const half = ((domain[1] - domain[0]) * thin) / 2
  return [
    layer(`${of}-range`, `expected ${of}`, look.band, area(ends, low, high, look.opacity)),
    layer(`${of}-level`, `level ${of}`, look.line, area(ends, level - half, level + half, 1)),
  ]
}

/** `before` and `38.3–45.0`. */
const wordsOf = ({ of, low, high, runs }: StatedLevel, show: (value: number) => string) =>
  [of === 'own' ? 'expected' : of, `${show(low)}–${show(high)}`, `by ${plural(runs, 'run')}`] as const

function wordsLayer(level: Drawn, domain: readonly [number, number], show: (value: number) => string): Layer {
  const [name, range] = wordsOf(level, show)
  const y = Math.min(domain[1], level.high + (domain[1] - domain[0]) * 0.045)
  return layer(`${level.of}-words`, name, 'var(--text)', {
    kind: 'label',
    x: level.ends[0] + 0.005,
    y,
    text: `${name} ${range}`,
    more: '',
  })
}

function runLayer({ value, state }: ExpectedLevelsInput, show: (value: number) => string): Layer {
  const style = stateStyle(state)
  return {
    series: { id: 'run', name: 'this run', style },
    marks: [
      { kind: 'line', at: [0], y: [value], width: 1, reads: 'exact', texts: [show(value)] },
      { kind: 'dots', of: 0, which: [0], isHollow: style.isHollow, size: 1.3, marker: 'circle' },
      { kind: 'label', x: runAt, y: value, text: show(value), more: '' },
    ],
  }
}

function ruleOf(change: NonNullable<MetricJudgement['change']>, at: number, state: JudgedState | null): Rule {
  const name = sinceWords(change)
  const verdict = state === 'worse' || state === 'better' ? state : 'changed'
  return { kind: 'change', at, label: name, title: `Level changed at ${name}`, verdict }
}

function tableOf(
  { levels, value, orderedAt }: ExpectedLevelsInput,
  title: string,
  show: (value: number) => string,
): PlotTable {
  const rows = levels.map(({ of, level, low, high, runs }) => [
    of === 'own' ? 'level' : of,
    show(level),
    show(low),
    show(high),
    plural(runs, 'run'),
  ])
  const own = ['this run', show(value), missing, missing, formatMoment(orderedAt)]
  return { head: ['', title, 'Expected from', 'to', 'By'], rows: [...rows, own] }
}
