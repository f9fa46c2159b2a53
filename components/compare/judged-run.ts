import { plural } from '@/lib/format'
import { compareHref } from '@/lib/judge/compare-url'
import type { Comparison } from '@/lib/judge/comparison'
import type { Delta } from '@/lib/judge/delta'
import type { Side } from '@/lib/judge/sides'
import { standingOf } from '@/lib/run/standing'
import { sinceWords, type MetricJudgement, type RunJudgement } from '@/lib/run/judgement'
import { profileName } from '@/lib/history/series'
import type { StoredRun } from '@/lib/history/stored-runs'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import { compareLevelsWords } from '@/lib/rules/alert-words'
import { sidesOfFinding } from '@/lib/rules/stored-alerts'
import type { MetricLimit } from '@/lib/run/limits'
import { fanRunOf, prepareFan } from '../charts/fan'
import type { Prepared } from '../charts/plot/model'

/** A run beside earlier ones of its series: its judgement there is the stored one. */
export interface JudgedRun {
  readonly run: StoredRun & { readonly judgement: RunJudgement }
  /** The change of level in its judgement; null: its level did not change. */
  readonly change: NonNullable<MetricJudgement['change']> | null
  /** The comparison that shows that change; null: there is none, or no alert reports it. */
  readonly levels: { readonly href: string; readonly words: string } | null
}

type Sides = readonly Side<StoredRun>[]

/** The run beside several earlier ones of its series and load; null: these sides are something else. */
export function judgedRunOf([base, side, ...more]: Sides, findings: readonly AlertFinding[] = []): JudgedRun | null {
  const [run, ...repeats] = side ?? []
  if (!base || !run || base.length < 2 || repeats.length > 0 || more.length > 0) return null
  const { judgement } = run
  const profile = profileName(run.tool, run.load)
  const isBefore = (one: StoredRun) =>
    one.seriesId === run.seriesId && one.orderedAt < run.orderedAt && profileName(one.tool, one.load) === profile
  if (judgement === null || !base.every(isBefore)) return null
  const changed = judgement.metrics.filter(({ change }) => change !== null)
  const lead = changed.find(({ metricId }) => metricId === judgement.metricId) ?? changed[0]
  const change = lead?.change ?? null
  const levels = lead === undefined ? null : levelsOf(run, lead, findings)
  return { run: { ...run, judgement }, change, levels }
}

function levelsOf(
  { projectSlug }: StoredRun,
  { metricId, change }: MetricJudgement,
  findings: readonly AlertFinding[],
): JudgedRun['levels'] {
  const isOwn = (one: AlertFinding) => one.metricId === metricId && one.afterRunId === change?.afterRunId
  const finding = findings.find(isOwn)
  if (finding === undefined || change === null) return null
  const sides = sidesOfFinding(finding)
  return { href: compareHref(projectSlug, sides, ''), words: compareLevelsWords(sinceWords(change), sides) }
}

/** A comparison that shows the stored judgement of its one run, and no verdict on each figure beside it. */
export function asJudged(comparison: Comparison<StoredRun>, { run, change }: JudgedRun): Comparison<StoredRun> {
  const level = change === null ? '' : `: what changed at ${sinceWords(change)} is shown by the runs before and since`
  const caution = `One run says no more than whether it is as expected${level}`
  const rows = comparison.rows.map((row) => ({
    ...row,
    deltas: row.deltas.map((delta) => withoutVerdict(delta, row.baseValue)),
  }))
  const sentence = run.judgement.sentence.replace(/\.$/, '')
  return { ...comparison, rows, rounds: null, sentence, caution, doubt: caution }
}

/** The plain difference between the values shown beside it. */
function withoutVerdict(delta: Delta, baseValue: number | null): Delta {
  const { value } = delta
  if (value === null || baseValue === null) return delta
  const factor = baseValue === 0 ? null : value / baseValue
  return {
    ...delta,
    ...{ absolute: value - baseValue, factor, changeRatio: factor === null ? null : factor - 1 },
    ...{ lowRatio: null, highRatio: null, p: null, warnings: [], orderBoundRatio: null, rounds: 0, moreRounds: null },
    ...{ method: 'none', pilot: null, verdict: 'undecided', leaning: null },
    reason: delta.reason ?? 'one run is judged by what was expected of it',
  }
}

/** The run on the earlier ones; null: no percentile was printed. */
export function prepareJudgedFan({ run }: JudgedRun, [base]: Sides, limits: readonly MetricLimit[]): Prepared | null {
  const before = base ?? []
  return prepareFan({
    id: 'percentiles',
    title: 'This run on those before',
    past: {
      name: `median of the ${plural(before.length, 'run')} before`,
      runs: before.map((one) => fanRunOf(one)),
    },
    run: { ...fanRunOf(run), name: 'this run' },
    state: standingOf(run.judgement)?.own ?? run.judgement.state,
    limits,
    isWide: true,
  })
}
