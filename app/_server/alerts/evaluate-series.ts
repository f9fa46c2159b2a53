import { setImmediate } from 'node:timers/promises'
import { NotFoundError } from '@/lib/errors'
import { groupBy } from '@/lib/group-by'
import { evaluatedRuns } from '@/lib/levels/trend'
import type { WatchedChange } from '@/lib/rules/evaluate-profile'
import { evaluateRules } from '@/lib/rules/evaluate-rules'
import { explainBy, type Neighbour } from '@/lib/rules/explain-change'
import { profilesOf, type LoadProfile } from '@/lib/history/series'
import {
  getEvaluationInput,
  listDueSeries,
  saveEvaluations,
  updateGuards,
  type DueSeries,
  type SeriesEvaluation,
} from '@/prisma/queries/alerts/evaluations'
import { listNeighbourhood, type ReadNeighbours } from '@/prisma/queries/series/environments'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { noteWork } from '../outage'
import { whenIdle } from '../when-idle'

const nothingRead = (): ReadNeighbours => ({ series: new Map(), points: new Map() })

const maxTries = 5

/**
 * Evaluates all profiles of a project's series by the project's rules, and stores the outcome. An evaluation that
 * another one overtook is repeated; a deleted series has none. `read`: what was read of its neighbours a
 * moment ago. Throws NotFoundError when the project was deleted.
 */
export async function evaluateSeries(
  project: Granted<'read'>,
  due: readonly DueSeries[],
  read: ReadNeighbours = nothingRead(),
): Promise<void> {
  const ids = (some: readonly DueSeries[]) => some.map(({ seriesId }) => seriesId)
  await updateGuards(project, ids(due))
  let waiting = due
  for (let tries = 0; tries < maxTries && waiting.length > 0; tries += 1) {
    const { rules, reference, series } = await getEvaluationInput(project, ids(waiting), evaluatedRuns)
    const now = new Date()
    const found: SeriesEvaluation[] = []
    for (const one of waiting) {
      const input = series.get(one.seriesId)
      if (input === undefined) continue
      const { version, byProfile, history, candidates } = input
      const evaluate = (neighbours: readonly Neighbour[] | null) =>
        profilesOf(history).map((profile) =>
          evaluateRules(profile, byProfile[profile.name] ?? [], {
            ...{ rules, reference, at: now.toISOString() },
            explain: neighbours === null ? undefined : explainBy(profile, neighbours),
          }),
        )
      const alone = evaluate(null)
      // Only a new change has to be explained, and one that nothing could tell of yet.
      const { environment } = history
      const isNews = alone.some(({ profile, changes }) => {
        const known = byProfile[profile.name] ?? []
        return changes.watched.length > known.length || known.some((one) => isUndecided(one, profile))
      })
      const evaluations =
        environment !== null && isNews ? evaluate(await listNeighbourhood(project, environment, read)) : alone
      found.push({ due: one, version, evaluations, candidates })
      // Requests come first: each series takes some milliseconds.
      await setImmediate()
    }
    waiting = await saveEvaluations(project, found, now)
  }
  if (waiting.length > 0) throw new Error(`series ${ids(waiting).join(', ')}: ${maxTries} evaluations were overtaken`)
}

const undecidedMs = 10 * 86_400_000

/** Whether later runs of other series may still tell what brought a change. */
function isUndecided({ origin, since }: WatchedChange, { points }: LoadProfile): boolean {
  const newest = Date.parse(points.at(-1)?.orderedAt ?? '')
  return origin === 'commit-or-machine' && newest - Date.parse(since) <= undecidedMs
}

const batch = 100
/** Series of one project that share their statements and a transaction. */
const atOnce = 5

/**
 * Evaluates every series whose runs changed, a few at a time. The database records which are due, so nothing is lost
 * when the process ends, and several instances may do it at once. A series that fails does not hold up the others and
 * stays due; so do those left when `stop` is aborted. Throws an AggregateError of all failures at the end.
 */
export async function evaluateDue(stop?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const failed = new Set<string>()
  const evaluate = async (projectId: string, some: readonly DueSeries[], read: ReadNeighbours): Promise<void> => {
    try {
      await evaluateSeries(await grant({ kind: 'system', projectId }, { id: projectId }, 'read'), some, read)
    } catch (failure) {
      // Its project was deleted a moment ago: it is no longer listed.
      if (failure instanceof NotFoundError) return
      if (some.length > 1) {
        for (const one of some) await evaluate(projectId, [one], read)
        return
      }
      for (const { seriesId } of some) failed.add(seriesId)
      failures.push(failure)
    }
  }
  while (!stop?.aborted) {
    const due = await listDueSeries(batch, [...failed])
    noteWork()
    if (due.length === 0) break
    for (const [projectId, own] of groupBy(due, (one) => one.projectId)) {
      // What arrives meanwhile makes its series due again, after these.
      const read: ReadNeighbours = nothingRead()
      for (let at = 0; at < own.length && !stop?.aborted; at += atOnce) {
        const startedAt = performance.now()
        await evaluate(projectId, own.slice(at, at + atOnce), read)
        noteWork()
        // A series that gets more runs meanwhile is evaluated only once.
        await whenIdle(4 * (performance.now() - startedAt))
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} series could not be evaluated`)
}
