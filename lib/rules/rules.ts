import { alertingMetrics, minEffectOf } from '../run/metrics'
import type { Sensitivity } from '../levels/sensitivity'
import type { UtcIso } from '../run/run'
import type { SeriesSummary } from '../history/stored-series'

/** What a rule can watch. */
export const ruleKinds = ['change-point', 'baseline', 'limit', 'missing', 'failed-import'] as const
export type RuleKind = (typeof ruleKinds)[number]

/** Which changes a rule reports; the metric defines what is worse. */
export const ruleDirections = ['worse', 'better', 'both'] as const
export type RuleDirection = (typeof ruleDirections)[number]

/**
 * What a rule requires of runs. Ratios: 0.1 is 10 %. `confirmRuns`: experiments in a row that must show it, 1 to 10.
 */
export type RuleSettings =
  | {
      readonly kind: 'change-point'
      /** Empty: all that raise alerts by default. */
      readonly metricIds: readonly string[]
      readonly direction: RuleDirection
      /** Null: each metric's own. */
      readonly leastEffectRatio: number | null
      readonly confirmRuns: number
      readonly sensitivity: Sensitivity
    }
  | {
      readonly kind: 'baseline'
      /** Empty: all that raise alerts by default. */
      readonly metricIds: readonly string[]
      readonly direction: RuleDirection
      readonly leastEffectRatio: number
      readonly confirmRuns: number
      /** A group whose median is the baseline; empty: the run marked as baseline of scenario and environment. */
      readonly runIds: readonly string[]
    }
  | {
      readonly kind: 'limit'
      readonly metricId: string
      readonly side: 'above' | 'below'
      /** In the metric's unit; shares 0 to 1. */
      readonly limit: number
      readonly confirmRuns: number
    }
  | { readonly kind: 'missing'; readonly hours: number }
  | { readonly kind: 'failed-import' }

/** What a rule covers: a whole project, a scenario, or one series (then scenario is null). */
export interface RuleScope {
  readonly scenario: string | null
  readonly seriesId: string | null
}

/** A rule of a project. */
export interface Rule extends RuleScope {
  readonly id: string
  readonly settings: RuleSettings
  readonly isEnabled: boolean
  /** It raises nothing until then; null: not muted. */
  readonly mutedUntil: UtcIso | null
  readonly createdAt: UtcIso
}

/** Settings of the rule that every project has from the start. */
export const builtInSettings: Extract<RuleSettings, { kind: 'change-point' }> = {
  kind: 'change-point',
  metricIds: [],
  direction: 'worse',
  leastEffectRatio: null,
  confirmRuns: 1,
  sensitivity: 'balanced',
}

/** The built-in change-point rule of a project has the project's id; it can be changed and disabled, not deleted. */
export const isBuiltIn = (rule: Pick<Rule, 'id'>, projectId: string): boolean => rule.id === projectId

/** Whether a rule is muted at a given time. */
export const isMuted = (rule: Pick<Rule, 'mutedUntil'>, at: UtcIso): boolean =>
  rule.mutedUntil !== null && rule.mutedUntil > at

/** Whether a rule covers a series. */
export function covers(scope: RuleScope, series: Pick<SeriesSummary, 'id' | 'scenario'>): boolean {
  if (scope.seriesId !== null) return scope.seriesId === series.id
  return scope.scenario === null || scope.scenario === series.scenario
}

const narrowness = (scope: RuleScope): number => (scope.seriesId !== null ? 2 : scope.scenario !== null ? 1 : 0)

/** How one metric of a series is watched for change points. */
export interface WatchedMetric {
  readonly metricId: string
  readonly minEffect: number
  readonly direction: RuleDirection
  readonly confirmRuns: number
  readonly sensitivity: Sensitivity
  readonly rule: Rule
}

/**
 * Which rule watches which metric of a series for change points: one change is reported once. The narrowest rule that
 * names the metric decides, the newest among equals; if that one is disabled, none watches it. In the order of
 * `alertingMetrics`, then of further metrics as rules name them.
 */
export function watchedMetrics(
  rules: readonly Rule[],
  series: Pick<SeriesSummary, 'id' | 'scenario'>,
): readonly WatchedMetric[] {
  const defaults = alertingMetrics.map((one) => one.metricId)
  const found = new Map<string, Rule>()
  const narrowestFirst = rules
    .filter((rule) => rule.settings.kind === 'change-point' && covers(rule, series))
    .sort((a, b) => narrowness(b) - narrowness(a) || (a.createdAt < b.createdAt ? 1 : -1))
  for (const rule of narrowestFirst) {
    if (rule.settings.kind !== 'change-point') continue
    const { metricIds } = rule.settings
    for (const id of metricIds.length === 0 ? defaults : metricIds) if (!found.has(id)) found.set(id, rule)
  }
  const order = [...defaults, ...[...found.keys()].filter((id) => !defaults.includes(id))]
  return order.flatMap((metricId): readonly WatchedMetric[] => {
    const rule = found.get(metricId)
    if (rule?.settings.kind !== 'change-point' || !rule.isEnabled) return []
    const { leastEffectRatio, direction, confirmRuns, sensitivity } = rule.settings
    const minEffect = leastEffectRatio ?? minEffectOf(metricId)
    return [{ metricId, minEffect, direction, confirmRuns, sensitivity, rule }]
  })
}
