import { findMetric, type RunFigures } from '../run/metrics'
import { limitName, missedBy, missedWords, type MetricLimit } from '../run/limits'
import { covers, type Rule, type RuleScope } from './rules'

/** A limit that a rule of a project sets. */
export interface RuleLimit extends RuleScope, MetricLimit {
  readonly ruleId: string
}

/** The limits that enabled rules set, in their order. */
export const ruleLimits = (rules: readonly Rule[]): readonly RuleLimit[] =>
  rules.flatMap(({ id, scenario, seriesId, settings, isEnabled }) => {
    if (settings.kind !== 'limit' || !isEnabled) return []
    const { metricId, side, limit } = settings
    return [{ ruleId: id, scenario, seriesId, metricId, side, limit }]
  })

/** A limit of a rule beside a run. */
export interface HeldLimit {
  readonly ruleId: string
  /** `p99 ≤ 80 ms`. */
  readonly name: string
  /** In the metric's unit; null: met. */
  readonly missedBy: number | null
  /** `missed by 13.1 ms`, `met`. */
  readonly words: string
}

interface Held {
  readonly seriesId: string
  readonly scenario: string
}

/** The limits of a series, in the order of their rules. */
export const limitsOfSeries = (limits: readonly RuleLimit[], { seriesId, scenario }: Held): readonly RuleLimit[] =>
  limits.filter((one) => covers(one, { id: seriesId, scenario }))

/** The limits that hold for each of several series. */
export const commonLimits = (limits: readonly RuleLimit[], all: readonly Held[]): readonly RuleLimit[] =>
  limits.filter(
    (one) => all.length > 0 && all.every(({ seriesId, scenario }) => covers(one, { id: seriesId, scenario })),
  )

/** How a run compares with the limits of its series; figures it lacks are left out. */
export function heldLimits(
  limits: readonly RuleLimit[],
  run: Held & { readonly figures: RunFigures },
): readonly HeldLimit[] {
  return limitsOfSeries(limits, run).flatMap((limit): readonly HeldLimit[] => {
    const metric = findMetric(limit.metricId)
    const value = metric?.read(run.figures) ?? null
    if (metric === null || value === null) return []
    return [
      {
        ruleId: limit.ruleId,
        name: limitName(limit),
        missedBy: missedBy(limit, value),
        words: missedWords(metric, limit, value),
      },
    ]
  })
}
