import { findingWords } from './alert-words'
import { lookAtLine, type WatchedChange } from './alerts'
import { causeOf } from './judge-line'
import { eventWords } from './rule-words'
import { covers, watchedMetrics, type Rule, type RuleSettings } from './rules'
import { findLevelStretches, type DriftEvent, type ReferenceRun } from './rule-events'
import type { UtcIso } from '../run/run'
import type { SeriesLine } from '../run/series'

/** One alert that a rule would have raised. */
export interface Firing {
  /** The newest run when it would have been raised. */
  readonly at: UtcIso
  /** What it would have said, the largest first; never empty. */
  readonly titles: readonly string[]
  /** Null: it is about no series. */
  readonly line: Pick<SeriesLine, 'series' | 'profile'> | null
  /** Commit or upload: firings with the same one are one alert. Null: an alert of its own. */
  readonly cause: string | null
  /** Where to look: a comparison of two runs, a run, or an upload. */
  readonly link:
    | { readonly to: 'compare'; readonly beforeRunId: string; readonly afterRunId: string }
    | { readonly to: 'run'; readonly runId: string }
    | { readonly to: 'upload'; readonly uploadId: string }
}

/** What a look at a line by a detector costs grows with the square of its runs: a replay looks at fewer than an alert. */
const newestRuns = 200
/** Looks at a line within the days that are replayed; with more runs every second, third … is looked at. */
const mostLooks = 150
const sameEventRuns = 5
const sameEventNewestRuns = 10

/** Steps of a replay, so that whoever runs it can stop between them; returns what fired until then. */
export type ReplaySteps = Generator<readonly Firing[], readonly Firing[]>

/**
 * What a rule would have raised for a line from `since` on, had it been there, in the order it would have: run by run,
 * each judged with the runs before it alone. Yields after each look what has fired so far. Pure and deterministic.
 */
export function* replayLine(
  rule: Rule,
  line: SeriesLine,
  reference: readonly ReferenceRun[],
  since: UtcIso,
): ReplaySteps {
  const { settings } = rule
  if (!covers(rule, line.series)) return []
  if (settings.kind === 'change-point') return yield* replayChanges(rule, line, since)
  if (settings.kind === 'limit' || settings.kind === 'baseline') return levelFirings(settings, line, reference, since)
  return []
}

function levelFirings(
  settings: Extract<RuleSettings, { kind: 'limit' | 'baseline' }>,
  line: SeriesLine,
  reference: readonly ReferenceRun[],
  since: UtcIso,
): readonly Firing[] {
  return findLevelStretches(settings, line, reference)
    .filter((one) => one.firedAt >= since)
    .map(({ event, firedAt, firedRunIds, firedValue }) => {
      const runId = firedRunIds.at(-1) ?? event.firstRunId
      const [base] = event.referenceRunIds
      const link =
        base === undefined
          ? ({ to: 'run', runId } as const)
          : ({ to: 'compare', beforeRunId: base, afterRunId: runId } as const)
      const titles = [eventWords({ ...event, value: firedValue })]
      return { at: firedAt, titles, line, cause: causeOf(line, event.firstRunId), link }
    })
}

interface PlacedFiring extends Firing {
  readonly changeAt: number
  readonly newestAt: number
}

function* replayChanges(rule: Rule, line: SeriesLine, since: UtcIso): ReplaySteps {
  const metrics = watchedMetrics([{ ...rule, isEnabled: true }], line.series)
  const first = line.points.findIndex((point) => point.orderedAt >= since)
  if (first < 0 || metrics.length === 0) return []
  const step = Math.max(1, Math.ceil((line.points.length - first) / mostLooks))
  let watched: readonly WatchedChange[] = []
  let fired: readonly PlacedFiring[] = []
  let drifting: ReadonlySet<string> = new Set()
  // The first look, before the days in question, only learns what was known then.
  for (let count = first; count <= line.points.length; count = nextCount(count, step, line.points.length)) {
    if (count >= 2) {
      const points = line.points.slice(Math.max(0, count - newestRuns), count)
      const seen = lookAtLine({ ...line, points }, watched, { sensitivity: 'balanced', metrics })
      watched = seen.watched
      if (count > first) for (const { finding } of seen.fresh) fired = withFinding(fired, line, finding, count - 1)
      const news = seen.drifts.filter((drift) => !drifting.has(drift.metricId))
      if (count > first && news.length > 0) fired = [...fired, driftFiring(line, news, count - 1)]
      drifting = new Set(seen.drifts.map((drift) => drift.metricId))
      yield fired
    }
    if (count === line.points.length) break
  }
  return fired
}

const nextCount = (count: number, step: number, all: number): number => Math.min(all, count + step)

function driftFiring(line: SeriesLine, drifts: readonly DriftEvent[], newestAt: number): PlacedFiring {
  const [first] = drifts
  const runs = { beforeRunId: first?.firstRunId ?? '', afterRunId: first?.lastRunId ?? '' }
  const at = line.points[newestAt]?.orderedAt ?? ''
  const placed = { changeAt: Number.NEGATIVE_INFINITY, newestAt }
  return { at, titles: drifts.map(eventWords), line, cause: null, link: { to: 'compare', ...runs }, ...placed }
}

/** A change close to one that fired is the same alert. */
function withFinding(
  fired: readonly PlacedFiring[],
  line: SeriesLine,
  finding: Parameters<typeof findingWords>[0] & { readonly beforeRunId: string; readonly afterRunId: string },
  newestAt: number,
): readonly PlacedFiring[] {
  const changeAt = line.points.findIndex((point) => point.runId === finding.afterRunId)
  const cause = causeOf(line, finding.afterRunId)
  const same = fired.findIndex(
    (one) =>
      one.cause === cause ||
      (Math.abs(one.changeAt - changeAt) <= sameEventRuns && newestAt - one.newestAt <= sameEventNewestRuns),
  )
  const title = findingWords(finding)
  if (same >= 0) return fired.map((one, at) => (at === same ? { ...one, titles: [...one.titles, title] } : one))
  const at = line.points[newestAt]?.orderedAt ?? ''
  const { beforeRunId, afterRunId } = finding
  const link = { to: 'compare', beforeRunId, afterRunId } as const
  return [...fired, { at, titles: [title], line, cause, link, changeAt, newestAt }]
}

/** When a rule about missing runs would have fired: after each gap, the one that lasts included. Times oldest first. */
export function replayMissing(
  hours: number,
  runs: readonly { readonly runId: string; readonly at: UtcIso }[],
  since: UtcIso,
  now: UtcIso,
): readonly Firing[] {
  const gapMs = hours * 3_600_000
  return runs.flatMap((run, at): readonly Firing[] => {
    const next = Date.parse(runs[at + 1]?.at ?? now)
    const firesAt = new Date(Date.parse(run.at) + gapMs).toISOString()
    if (next - Date.parse(run.at) <= gapMs || firesAt < since) return []
    const titles = [eventWords({ kind: 'missing', hours, lastRunId: run.runId, since: run.at, overSince: null })]
    return [{ at: firesAt, titles, line: null, cause: null, link: { to: 'run', runId: run.runId } }]
  })
}

/** Firings of all lines as alerts: those of one commit or upload are one. Newest first. */
export function groupFirings(all: readonly Firing[]): readonly Firing[] {
  const byCause = new Map<string, Firing>()
  const alone: Firing[] = []
  for (const one of [...all].sort((a, b) => (a.at < b.at ? -1 : 1))) {
    const before = one.cause === null ? undefined : byCause.get(one.cause)
    if (one.cause === null) alone.push(one)
    else byCause.set(one.cause, before ? { ...before, titles: [...before.titles, ...one.titles] } : one)
  }
  return [...alone, ...byCause.values()].sort((a, b) => (a.at < b.at ? 1 : -1))
}
