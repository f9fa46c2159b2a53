import type { Rule, RuleKind } from '@/lib/rules/rules'

/** A rule before it is saved. */
export type RuleDraft = Pick<Rule, 'scenario' | 'seriesId' | 'settings' | 'isEnabled' | 'mutedUntil'>

/** The fields of the form, as typed. */
export interface RuleFields {
  readonly kind: RuleKind
  /** Empty: the whole project; `scenario:NAME`; `series:ID`. */
  readonly scope: string
  readonly metricIds: readonly string[]
  readonly direction: string
  /** Percent; empty: each metric's own. */
  readonly minPercent: string
  readonly confirmRuns: string
  readonly sensitivity: string
  /** Ids of runs, separated by spaces; empty: the marked baseline. */
  readonly runIds: string
  readonly side: string
  /** In the metric's unit; for shares in percent. */
  readonly limit: string
  readonly hours: string
}
