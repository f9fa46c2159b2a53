import type { Trend } from '@/lib/levels/trend'
import { seriesWords } from '@/lib/rules/alert-words'
import type { Firing } from '@/lib/rules/replay'
import type { RuleSettings } from '@/lib/rules/rules'
import type { UtcIso } from '@/lib/run/run'
import type { Prepared } from '../charts/plot/model'
import { prepareTrend } from '../charts/trend'

/** One metric of a load profile for which a rule would have fired. */
export interface FiredTrend {
  readonly seriesId: string
  readonly profile: string
  readonly metricId: string
  /** When, oldest first, and the text that it would have had. */
  readonly firings: readonly { readonly at: UtcIso; readonly text: string }[]
}

/** More charts would push the list out of sight. */
const maxCharts = 3

/** The charts of a replay: the profiles and metrics with the most firings, at most three. */
export function firedTrends(firings: readonly Firing[]): readonly FiredTrend[] {
  const found = new Map<string, FiredTrend>()
  for (const { at, titles, metricId, profile } of firings) {
    if (profile === null || metricId === null) continue
    const key = `${profile.series.id} ${profile.name} ${metricId}`
    const own = { at, text: titles[0] ?? '' }
    const before = found.get(key)?.firings ?? []
    found.set(key, { seriesId: profile.series.id, profile: profile.name, metricId, firings: [own, ...before] })
  }
  return [...found.values()].sort((a, b) => b.firings.length - a.firings.length).slice(0, maxCharts)
}

interface ReplayOptions {
  readonly rule: RuleSettings
  readonly id: string
  readonly since: UtcIso
  readonly projectSlug: string
}

/** The trend of one of them, with a mark at each time the rule would have fired; null: nothing to draw. */
export function replayChart(
  trend: Trend,
  { firings }: FiredTrend,
  { rule, id, since, projectSlug }: ReplayOptions,
): { readonly name: string; readonly prepared: Prepared } | null {
  const prepared = prepareTrend(trend.metric, [{ ...trend, changes: [], level: null }], {
    id,
    order: 'runs',
    scale: 'linear',
    projectSlug,
    from: since,
    labelChanges: [],
    limits: rule.kind === 'limit' ? [rule] : [],
    annotations: firings.map(({ at, text }) => ({ at, kind: 'alert', text })),
  })
  return prepared === null ? null : { name: seriesWords(trend.profile.series), prepared }
}
