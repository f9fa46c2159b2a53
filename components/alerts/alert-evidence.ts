import type { BoardRun } from '@/lib/board/series'
import { findCommit, type CommitSearch } from '@/lib/experiment/find-commit'
import type { Trend } from '@/lib/levels/trend'
import { commitWords, formatDay, plural } from '@/lib/format'
import { commitOf, findingMark } from '@/lib/rules/alert-words'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import type { RuleEvent } from '@/lib/rules/rule-events'
import { sidesOfFinding, type StoredAlert } from '@/lib/rules/stored-alerts'
import { heldAgainst } from '@/lib/run/judgement'
import type { Metric } from '@/lib/run/metrics'
import { prepareFan, type FanRun } from '../charts/fan'
import { prepareLevelChange, type DrawnLevel } from '../charts/level-change'
import type { Prepared } from '../charts/plot/model'
import { prepareTrend } from '../charts/trend'
import type { DecidingRun } from './deciding-run'

/** The data behind the change that an alert shows large. */
export interface AlertSource {
  readonly alert: StoredAlert
  /** One of its findings. */
  readonly finding: AlertFinding
  readonly metric: Metric
  /** Trend of the finding's load profile and metric; null: its series was deleted. */
  readonly trend: Trend | null
  /** The runs around the change and the newest one, by id; without deleted ones. */
  readonly runs: ReadonlyMap<string, BoardRun>
  /** Percentiles of the runs of its comparison, by id. */
  readonly fanRuns: ReadonlyMap<string, FanRun>
}

/** The evidence on an alert's page. */
export interface AlertEvidence {
  /** The change that is shown large, and the others of its series; null: it has no change of level. */
  readonly finding: AlertFinding | null
  readonly choices: readonly AlertFinding[]
  readonly chart: Prepared | null
  readonly fan: Prepared | null
  /** What decides between the commit and the machine; null: that is decided, or the command is not known. */
  readonly deciding: DecidingRun | null
  /** Which commits may have brought the change; null: its place is certain, or nothing is known of them. */
  readonly search: CommitSearch | null
  /** The last run before the change and the first since, by id; without deleted ones. */
  readonly runs: ReadonlyMap<string, BoardRun>
}

/** Name of the change: the commit that introduced it, else its day. */
export function changeName(alert: StoredAlert, finding: AlertFinding): string {
  const commit = commitOf(alert)
  return commit === null ? formatDay(finding.since) : commitWords(commit)
}

/** Where a change is among the points of its trend, with those from the change before up to the next one. */
function levelsAround(
  { points, changes }: Pick<Trend, 'points' | 'changes'>,
  finding: Pick<AlertFinding, 'afterRunId' | 'since' | 'reach'>,
): { readonly at: number; readonly from: number; readonly to: number } {
  const found = points.findIndex(({ runIds }) => runIds.includes(finding.afterRunId))
  const later = points.findIndex(({ orderedAt }) => orderedAt >= finding.since)
  const at = found >= 0 ? found : later >= 0 ? later : points.length
  // Marks of the history may be some runs away from the alert's place.
  const isOther = (one: { readonly at: number }) => Math.abs(one.at - at) > Math.max(3, finding.reach)
  const from = Math.max(0, ...changes.filter((one) => one.at < at && isOther(one)).map((one) => one.at))
  const to = Math.min(points.length, ...changes.filter((one) => one.at > at && isOther(one)).map((one) => one.at))
  return { at, from, to }
}

/** Whether a change may have come with another commit than the one at its place: then it can be searched. */
export const isPlaceUncertain = ({ reach, origin }: Pick<AlertFinding, 'reach' | 'origin'>): boolean =>
  reach > 0 && (origin === null || origin === 'commit-or-machine')

/** Points on either side of a change by which its commit is searched. */
const searchedPoints = 32

/** Which commits may have brought a change; null: its place is certain. `run`: the command of a run; null: not known. */
export function changeSearch({ finding, metric, trend }: AlertSource, run: string | null): CommitSearch | null {
  if (trend === null || metric.unit === 'ratio' || !isPlaceUncertain(finding)) return null
  const { at, from, to } = levelsAround(trend, finding)
  const near = trend.points.slice(Math.max(from, at - searchedPoints), Math.min(to, at + searchedPoints))
  const runs = near.flatMap(({ labels, value, isBarred }) => {
    const commit = labels['commit']
    return commit === undefined || value === null || isBarred ? [] : [{ commit, value }]
  })
  return findCommit(runs, { metricId: metric.id, run })
}

/** The runs before and since with both levels; null: none of them has the figure. */
export function changeChart({ alert, finding, metric, trend, runs }: AlertSource): Prepared | null {
  if (trend === null) return null
  const { points, level } = trend
  const { at, from, to } = levelsAround(trend, finding)
  const isCurrent = level !== null && to === points.length && level.from >= at - finding.reach
  const newest = runs.get(points.at(-1)?.runIds.at(-1) ?? '')
  const since: DrawnLevel = { value: finding.after, range: isCurrent ? rangeSince(finding, newest) : null }
  return prepareLevelChange({
    id: 'change',
    metric,
    points,
    from,
    at,
    to,
    before: { value: finding.before, range: rangeBefore(finding, runs) },
    since,
    reach: finding.reach,
    state: findingMark(alert, finding).state,
    name: changeName(alert, finding),
    projectSlug: alert.projectSlug,
  })
}

/** The expected range of the level since, as for the newest run; null: not stored, or too few runs. */
function rangeSince({ metricId, afterRunId }: AlertFinding, newest: BoardRun | undefined): DrawnLevel['range'] {
  const judged = newest?.judgement?.metrics.find((one) => one.metricId === metricId)
  const held = judged === undefined ? null : heldAgainst(judged)
  const isSince = judged?.change == null || judged.change.afterRunId === afterRunId
  return held === null || held.of === 'before' || !isSince ? null : held
}

/** The expected range of the level before: as for a run since, else as for its last run. Null: not stored. */
function rangeBefore(finding: AlertFinding, runs: AlertSource['runs']): DrawnLevel['range'] {
  const judged = [...runs.values()].flatMap(({ id, judgement }) => {
    const own = judgement?.metrics.find(({ metricId }) => metricId === finding.metricId)
    const isBefore =
      own?.change?.afterRunId === finding.afterRunId || (own?.change === null && id === finding.beforeRunId)
    return own !== undefined && isBefore ? [own] : []
  })
  const [low, high] = [judged[0]?.expectedLow ?? null, judged[0]?.expectedHigh ?? null]
  return low === null || high === null ? null : { low, high }
}

/** The percentiles of the runs of its comparison, before and since; null: none was printed. */
export function changeFan({
  alert,
  finding,
  fanRuns,
}: Pick<AlertSource, 'alert' | 'finding' | 'fanRuns'>): Prepared | null {
  const [before = [], since = []] = sidesOfFinding(finding).map((ids) => ids.flatMap((id) => fanRuns.get(id) ?? []))
  const prepared = prepareFan({
    id: 'fan',
    title: 'Before and since, by percentile',
    past: { name: 'before', runs: before },
    since: { name: 'since', runs: since },
    run: null,
    state: findingMark(alert, finding).state,
    isWide: true,
  })
  if (prepared === null) return null
  // Lines are named at their ends, and the note explains the bands.
  const { legend: _, ...plot } = prepared.plot
  const note = noteOf(before.length, since.length)
  // As high as the chart beside it.
  const panels = plot.panels.map((panel) => ({ ...panel, frame: 'fan' as const }))
  return { ...prepared, plot: { ...plot, panels, note } }
}

/** Fewer runs than five have no band (prepareFan): each is a line. */
function noteOf(before: number, since: number): string {
  if (before >= 5 && since >= 5)
    return `Medians of ${before} + ${since} runs; bands: all of them and their middle half.`
  return `Before: ${before >= 5 ? `median of ${before} runs in their bands` : plural(before, 'run')}; since: ${since >= 5 ? `median of ${since} runs in their bands` : `${plural(since, 'run')}, a line each`}.`
}

/** The trend behind an alert of any rule but the detector's, with the limit that was broken; null: nothing to draw. */
export function eventChart(trend: Trend | null, event: RuleEvent | null, projectSlug: string): Prepared | null {
  if (trend === null) return null
  // A slow drift is not reported as a single step, so its drawing must not show steps.
  const drawn = event?.kind === 'drift' ? { ...trend, changes: [], level: null } : trend
  const limits = event?.kind === 'limit' ? [{ metricId: event.metricId, side: event.side, limit: event.expected }] : []
  return prepareTrend(trend.metric, [drawn], { order: 'runs', scale: 'linear', projectSlug, limits })
}
