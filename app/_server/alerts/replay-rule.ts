import { setImmediate } from 'node:timers/promises'
import { plural } from '@/lib/format'
import { groupFirings, replayProfile, replayMissing, type Firing } from '@/lib/rules/replay'
import type { Rule } from '@/lib/rules/rules'
import { covers } from '@/lib/rules/rules'
import { profilesOf } from '@/lib/history/series'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listFailedUploads, listRunTimes } from '@/prisma/queries/alerts/rule-history'
import { listReferenceRuns } from '@/prisma/queries/alerts/rules'
import { getSeriesHistories, listSeries } from '@/prisma/queries/series/series'

/** How many days a replay goes back. */
export const replayedDays = 90

const historyRuns = 2_000
const seriesAtOnce = 20

/** What a rule would have raised. */
export interface Replay {
  /** Newest first; those of one commit or upload count as one. */
  readonly firings: readonly Firing[]
  /** The part of the history that was not evaluated, in a sentence; null: none. */
  readonly omitted: string | null
}

/**
 * What a rule would have raised in the last 90 days, had it existed. Writes nothing. Stops after `limitMs` and reports
 * that; other requests are answered between its steps.
 */
export async function replayRule(project: Granted<'read'>, rule: Rule, now: Date, limitMs = 4_000): Promise<Replay> {
  const since = new Date(now.getTime() - replayedDays * 86_400_000).toISOString()
  const { settings } = rule
  if (settings.kind === 'missing') {
    const times = await listRunTimes(project, rule, since)
    const firings = groupFirings(replayMissing(settings.hours, times, since, now.toISOString()))
    return { firings, omitted: null }
  }
  if (settings.kind === 'failed-import') {
    const failed = await listFailedUploads(project, since)
    const omitted = 'Uploads that have been discarded since are not included.'
    return { firings: groupFirings(failed.map(firingOf)), omitted }
  }
  const reference = await listReferenceRuns(project, [rule])
  const series = (await listSeries(project)).filter((one) => covers(rule, one))
  const deadlineMs = performance.now() + limitMs
  const fired: Firing[] = []
  let replayedCount = 0
  for (let from = 0; from < series.length; from += seriesAtOnce) {
    const ids = series.slice(from, from + seriesAtOnce).map((one) => one.id)
    for (const history of await getSeriesHistories(project, ids, historyRuns)) {
      for (const profile of profilesOf(history)) {
        const steps = replayProfile(rule, profile, reference, since)
        for (let step = steps.next(); ; step = steps.next()) {
          const isLate = performance.now() > deadlineMs
          if (step.done === true || isLate) fired.push(...step.value)
          if (step.done === true) break
          if (isLate) return { firings: groupFirings(fired), omitted: timeLimitWords(replayedCount, series.length) }
          await setImmediate()
        }
      }
      replayedCount += 1
    }
  }
  return { firings: groupFirings(fired), omitted: null }
}

function firingOf(upload: Awaited<ReturnType<typeof listFailedUploads>>[number]): Firing {
  const titles = [`${upload.name}: ${upload.message}`]
  return {
    at: upload.at,
    titles,
    metricId: null,
    profile: null,
    cause: null,
    link: { to: 'upload', uploadId: upload.id },
  }
}

const timeLimitWords = (replayed: number, all: number): string =>
  `Time limit reached: ${replayed} of ${plural(all, 'series', 'series')} were replayed, newest runs first.`
