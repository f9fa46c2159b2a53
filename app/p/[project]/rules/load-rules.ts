import { openTrends } from '@/app/_server/alerts/judge-trends'
import { replayedDays, replayRule } from '@/app/_server/alerts/replay-rule'
import { firedTrends, replayChart } from '@/components/rules/replay-charts'
import type { RuleFields } from '@/components/rules/rule-draft'
import type { Firing } from '@/lib/rules/replay'
import type { Rule, RuleSettings } from '@/lib/rules/rules'
import { findMetric } from '@/lib/run/metrics'
import type { RunRow } from '@/lib/history/stored-runs'
import { listBoardRuns } from '@/prisma/queries/series/board'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listRuns } from '@/prisma/queries/runs/runs'
import { ruleOfFields } from './read-rule-form'

const shownRuns = 500
const offeredRuns = 200

/** The rule of the form with what it would have raised; or what is wrong with it, in a sentence. */
export async function loadReplay(
  project: Granted<'read'>,
  { fields, rule, now }: { readonly fields: RuleFields; readonly rule: Rule | null; readonly now: Date },
) {
  const made = ruleOfFields(fields)
  if ('problem' in made) return made
  const identity = { id: rule?.id ?? '', createdAt: now.toISOString() }
  const state = { isEnabled: rule?.isEnabled ?? true, mutedUntil: rule?.mutedUntil ?? null }
  const draft = { ...made, ...identity, ...state }
  const replay = await replayRule(project, draft, now)
  return { draft, replay, charts: await chartsOf(project, draft.settings, replay.firings, now) }
}

/** Where it fired, on the trends with the most firings. */
async function chartsOf(project: Granted<'read'>, rule: RuleSettings, firings: readonly Firing[], now: Date) {
  const since = new Date(now.getTime() - replayedDays * 86_400_000).toISOString()
  const charts = await Promise.all(
    firedTrends(firings).map(async (fired, at) => {
      const metric = findMetric(fired.metricId)
      if (metric === null) return []
      const wanted = { seriesIds: [fired.seriesId], metrics: [metric], runs: shownRuns }
      const { trends } = await openTrends(project, wanted)
      const own = trends.get(metric)?.[0]?.trends.find(({ profile }) => profile.name === fired.profile)
      const options = { rule, id: `replay-${at + 1}`, since, projectSlug: project.slug }
      const chart = own === undefined ? null : replayChart(own, fired, options)
      return chart === null ? [] : [chart]
    }),
  )
  return charts.flat()
}

/** The runs to pick a baseline from: the picked ones, then the newest. Empty for rules without one. */
export async function loadPickableRuns(
  project: Granted<'read'>,
  { kind, runIds }: RuleFields,
): Promise<readonly RunRow[]> {
  if (kind !== 'baseline') return []
  const picked = await listBoardRuns(project, runIds.split(' '))
  const { rows } = await listRuns(project, {}, { sort: 'time', direction: 'desc', limit: offeredRuns })
  return [...picked.values(), ...rows.filter(({ id }) => !picked.has(id))]
}
