import { formatMetric, plural, roundChangeWords } from '@/lib/format'
import type { RunPast, RunRow } from '@/lib/history/stored-runs'
import { levelWords } from '@/lib/run/standing'
import { heldAgainst, type JudgedRow, type MetricJudgement } from '@/lib/run/judgement'
import { findMetric } from '@/lib/run/metrics'

/** The head of the runs of one level. */
export interface ShownLevel {
  readonly key: string
  /** State of the level: `Worse since 8de2d48`; null: the level before. */
  readonly judged: JudgedRow | null
  readonly name: string
  /** `20 runs`. */
  readonly count: string
  /** Of the commit that it began with; null: not known. */
  readonly subject: string | null
  /** `p99 +18 % · expected since: 60 ms to 79 ms`. */
  readonly detail: string
  readonly alertHref: string | null
}

/** A list of one series on both sides of its latest change. */
export interface SplitList {
  /** `firstId`: the run that the level began with. */
  readonly since: { readonly head: ShownLevel; readonly rows: readonly RunRow[]; readonly firstId: string }
  readonly before: { readonly head: ShownLevel; readonly rows: readonly RunRow[] }
}

type Pasts = ReadonlyMap<string, RunPast>
type Moved = MetricJudgement & { readonly change: NonNullable<MetricJudgement['change']> }

/**
 * Splits a list where the level of its series changed, by the judgement of its newest run; null: the list is of several
 * series, or the newest run is held against a level that did not change. Newest first.
 */
export function splitByLevel(rows: readonly RunRow[], pasts: Pasts): SplitList | null {
  const newest = rows.find(({ judged, candidate }) => judged !== null && !candidate)
  const moved = newest === undefined ? null : movedOf(newest, pasts)
  if (newest?.judged == null || moved === null) return null
  if (rows.some(({ seriesId }) => seriesId !== newest.seriesId)) return null
  const since = rows.filter(({ orderedAt }) => orderedAt >= moved.change.since)
  const before = rows.filter(({ orderedAt }) => orderedAt < moved.change.since)
  const first = rows.find(({ id }) => id === moved.change.afterRunId)
  const { alertId } = moved.change
  const head = {
    key: `since ${moved.change.since}`,
    judged: newest.judged,
    name: levelWords(newest.judged.state, moved.change),
    // The page may end before the change.
    count: before.length === 0 ? `${plural(since.length, 'run')} here` : plural(since.length, 'run'),
    subject: first?.labels['subject'] ?? null,
    detail: [changeWords(moved), ...rangeWords('expected since', moved.metricId, moved.current)].join(' · '),
    alertHref: alertId === null ? null : `/p/${newest.projectSlug}/alerts/${alertId}`,
  }
  const none = { judged: null, subject: null, alertHref: null }
  const range = rangeWords('expected', moved.metricId, moved).join(' · ')
  const earlier = { key: 'before', name: 'Before', count: plural(before.length, 'run'), detail: range, ...none }
  return { since: { head, rows: since, firstId: moved.change.afterRunId }, before: { head: earlier, rows: before } }
}

/** The metric that a run's state is about, if its level changed. */
function movedOf({ id, judged }: RunRow, pasts: Pasts): Moved | null {
  const moved = pasts.get(id)?.moved ?? null
  if (moved?.change == null || (judged?.state !== 'worse' && judged?.state !== 'better')) return null
  return { ...moved, change: moved.change }
}

/** How a run stands in the level since the change, which its head is about; undefined: as it is stored. */
export function stateSince(row: RunRow, pasts: Pasts): JudgedRow | undefined {
  const moved = movedOf(row, pasts)
  const held = moved === null ? null : heldAgainst(moved)
  if (row.judged === null || held?.of !== 'since') return undefined
  return { state: held.isOutside ? 'unusual' : 'as-expected', sentence: row.judged.sentence }
}

const nameOf = (metricId: string): string => findMetric(metricId)?.shortLabel ?? metricId

const changeWords = ({ metricId, effectRatio }: Moved): string =>
  effectRatio === null ? `${nameOf(metricId)} changed` : `${nameOf(metricId)} ${roundChangeWords(effectRatio)}`

type Range = Pick<MetricJudgement, 'expectedLow' | 'expectedHigh'>

function rangeWords(name: string, metricId: string, range: Range | null): readonly string[] {
  if (range?.expectedLow == null || range.expectedHigh === null) return []
  const unit = findMetric(metricId)?.unit ?? 'ms'
  return [`${name}: ${formatMetric(range.expectedLow, unit)} to ${formatMetric(range.expectedHigh, unit)}`]
}
