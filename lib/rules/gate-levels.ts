import { alertingMetrics } from '../run/metrics'
import { findMetric, type Metric } from '../run/metrics'
import { barsOf, type Bar, type ReferenceRun } from './rule-events'
import { covers, isMuted, type Rule } from './rules'
import type { UtcIso } from '../run/run'
import type { SeriesLine } from '../run/series'
import { findStretches } from './stretches'
import { trendPoints } from '../detect/trend'

/** How the newest runs stand. worse, changed (of a metric that has no good side): a build fails, unless excused. */
export type GateVerdictWord = 'worse' | 'changed' | 'better' | 'same' | 'not-judged'

/** Why a verdict fails no build: its rule is muted, asks of other changes only, or wants more runs that show it. */
export type GateExcuse = 'muted' | 'not-asked' | 'unconfirmed'

/** What a limit or baseline rule says of the newest runs of a line. Values in the metric's unit. */
export interface GateLevelRow {
  readonly kind: 'limit' | 'baseline'
  readonly line: SeriesLine
  readonly metric: Metric
  readonly rule: Rule
  readonly verdict: GateVerdictWord
  /** Why the verdict fails no build; null: it counts. */
  readonly excuse: GateExcuse | null
  /** The limit, or the baseline's median; null: the baseline has no run under this load. */
  readonly expected: number | null
  /** Where values break the rule. */
  readonly side: 'above' | 'below'
  readonly value: number
  /** Experiments in a row, this one included, that broke the rule, and how many must. */
  readonly broken: number
  readonly confirmRuns: number
  /** Runs that the value is the median of. */
  readonly runs: number
}

interface LevelsInput {
  readonly line: SeriesLine
  readonly runIds: ReadonlySet<string>
  readonly rules: readonly Rule[]
  readonly reference: readonly ReferenceRun[]
  readonly at: UtcIso
}

/** What all limit and baseline rules that are on say of the newest runs of a line, in the order of the rules. */
export function judgeLevels({ line, runIds, rules, reference, at }: LevelsInput): readonly GateLevelRow[] {
  return rules
    .filter((rule) => rule.isEnabled && covers(rule, line.series))
    .flatMap((rule): readonly GateLevelRow[] => {
      const { settings } = rule
      if (settings.kind !== 'limit' && settings.kind !== 'baseline') return []
      const bars = barsOf(settings, line, reference)
      const own = { kind: settings.kind, line, rule, confirmRuns: settings.confirmRuns }
      const rows = bars.flatMap((bar): readonly GateLevelRow[] => {
        const row = judgeBar(line, runIds, bar, settings.confirmRuns)
        if (row === null) return []
        const verdict = verdictOf(settings.kind, bar, row)
        return [{ ...own, ...row, verdict, excuse: excuseOf(rule, verdict, row, at) }]
      })
      return bars.length > 0 || settings.kind === 'limit' ? rows : withoutBaseline(own, settings.metricIds, runIds)
    })
}

type JudgedBar = Pick<GateLevelRow, 'metric' | 'expected' | 'side' | 'value' | 'broken' | 'runs'> & {
  readonly isFired: boolean
}

/** Null: the newest experiment that has the figure is none of these runs, or is the baseline itself. */
function judgeBar(line: SeriesLine, runIds: ReadonlySet<string>, bar: Bar, confirmRuns: number): JudgedBar | null {
  const { metric, expected, side } = bar
  const baseline = new Set(bar.referenceRunIds)
  const points = trendPoints(line, metric).filter((point) => !point.runIds.some((id) => baseline.has(id)))
  const values = points.flatMap((point) => point.value ?? [])
  const newest = points.findLast((point) => point.value !== null)
  const value = values.at(-1)
  if (value === undefined || !newest?.runIds.some((id) => runIds.has(id))) return null
  const broken = values.length - 1 - values.findLastIndex((one) => !bar.isBroken(one))
  const isFired = broken > 0 && findStretches(values, bar.isBroken, confirmRuns).at(-1)?.last === values.length - 1
  return { metric, expected, side, value, broken, runs: newest.runIds.length, isFired }
}

function verdictOf(kind: 'limit' | 'baseline', bar: Bar, { broken }: JudgedBar): GateVerdictWord {
  if (broken === 0) return 'same'
  if (kind === 'limit') return 'worse'
  if (bar.metric.direction === 'neutral') return 'changed'
  return (bar.side === 'above') === (bar.metric.direction === 'lower-is-better') ? 'worse' : 'better'
}

function excuseOf(rule: Rule, verdict: GateVerdictWord, row: JudgedBar, at: UtcIso): GateExcuse | null {
  if (verdict === 'same' || verdict === 'better') return null
  if (isMuted(rule, at)) return 'muted'
  return row.isFired ? null : 'unconfirmed'
}

/** A rule that could say nothing says so, once. */
function withoutBaseline(
  own: Pick<GateLevelRow, 'kind' | 'line' | 'rule' | 'confirmRuns'>,
  metricIds: readonly string[],
  runIds: ReadonlySet<string>,
): readonly GateLevelRow[] {
  for (const id of metricIds.length > 0 ? metricIds : alertingMetrics.map((one) => one.metricId)) {
    const metric = findMetric(id)
    const newest = metric && trendPoints(own.line, metric).at(-1)
    if (!metric || newest?.value == null || !newest.runIds.some((run) => runIds.has(run))) continue
    const { value, runIds: runs } = newest
    const side = metric.direction === 'higher-is-better' ? 'below' : 'above'
    const row = { metric, expected: null, side, value, broken: 0, runs: runs.length } as const
    return [{ ...own, ...row, verdict: 'not-judged', excuse: null }]
  }
  return []
}
