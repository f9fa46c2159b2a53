import { setImmediate } from 'node:timers/promises'
import { instrumentOf, type Instrument } from '@/lib/instrument/instrument'
import { groupBy } from '@/lib/group-by'
import { repeats, trendPoints } from '@/lib/levels/points'
import { evaluatedRuns } from '@/lib/levels/trend'
import { isRunOffWithEnvironment, type Neighbour } from '@/lib/rules/explain-change'
import {
  failsBuild,
  judgeForBuild,
  openAlertsOf,
  raisedBy,
  type GateChangeRow,
  type GateVerdict,
} from '@/lib/gate/gate'
import { profilesOf, profileName, type LoadProfile } from '@/lib/history/series'
import type { RunRow } from '@/lib/history/stored-runs'
import type { SeriesPoint } from '@/lib/history/stored-series'
import { alertStates } from '@/lib/rules/stored-alerts'
import type { Viewer } from '@/lib/viewer'
import { listAlerts } from '@/prisma/queries/alerts/alerts'
import { findDueSeries } from '@/prisma/queries/alerts/evaluations'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { listReferenceRuns, listRules } from '@/prisma/queries/alerts/rules'
import { getRunPoints, getSeriesHistories } from '@/prisma/queries/series/series'
import { listInstrumentRuns } from '@/prisma/queries/series/instrument'
import { listNeighbourhood } from '@/prisma/queries/series/environments'
import { countInvalidRepeats, listCandidateRepeats } from '@/prisma/queries/runs/run-neighbours'
import { getJudgements } from '@/prisma/queries/runs/runs'
import { getUpload } from '@/prisma/queries/uploads/uploads'
import { evaluateSeries } from './evaluate-series'

/** The upload to judge for a build. */
export interface WantedVerdict {
  readonly projectId: string
  readonly uploadId: string
  readonly runs: readonly RunRow[]
  /** Runs of one commit to wait for before judging. */
  readonly wait: number
  /** The most repeats that may be asked for; 0: none. */
  readonly repeat: number
  /** What the machine did counts as well. */
  readonly strict: boolean
}

/** A judgement in progress, or finished after its request was answered: cached until it is asked for. */
interface Judgement {
  readonly verdict: Promise<GateVerdict>
  readonly startedAtMs: number
}

const cachedMs = 10 * 60_000

/** On globalThis: the routes of an upload and of its gate are separate bundles in one process. */
const key = Symbol.for('tailboard.judgements')

function judgements(): Map<string, Judgement> {
  const holder = globalThis as { [key]?: Map<string, Judgement> }
  return (holder[key] ??= new Map())
}

/**
 * Judges an upload's runs for a build, for at most `limitMs` (0: not at all); null when that is not enough. Judging
 * then continues, and a caller that asks again (with the same `wait`) gets the outcome as soon as it is ready. Throws
 * NotFoundError.
 */
export async function judgeInTime(viewer: Viewer, wanted: WantedVerdict, limitMs: number): Promise<GateVerdict | null> {
  const { projectId, uploadId, wait, repeat, strict } = wanted
  const all = judgements()
  const now = performance.now()
  for (const [id, { startedAtMs }] of all) if (startedAtMs < now - cachedMs) all.delete(id)

  const id = `${projectId} ${uploadId} ${wait} ${repeat} ${strict}`
  const own = all.get(id) ?? { verdict: judgeUpload(viewer, wanted), startedAtMs: now }
  all.set(id, own)
  let timer: NodeJS.Timeout | undefined
  const tooLate =
    limitMs === 0 ? Promise.resolve(null) : new Promise<null>((resolve) => (timer = setTimeout(resolve, limitMs, null)))
  try {
    const verdict = await Promise.race([own.verdict, tooLate])
    if (verdict !== null) forget(id, own)
    return verdict
  } catch (error) {
    forget(id, own)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A verdict that was already returned is made anew for the next caller: more runs may have arrived. */
function forget(id: string, own: Judgement): void {
  if (judgements().get(id) === own) judgements().delete(id)
}

/** Evaluates the series of an upload's runs at once, and judges the runs for a build. Throws NotFoundError. */
async function judgeUpload(viewer: Viewer, wanted: WantedVerdict): Promise<GateVerdict> {
  const { projectId, uploadId, runs, wait, repeat, strict } = wanted
  const project = await grant(viewer, { id: projectId }, 'read')
  const seriesIds = [...new Set(runs.map((run) => run.seriesId))]
  for (const seriesId of seriesIds) {
    // The embedded database answers without ever letting a timer run, so a waiting request could not give up.
    await setImmediate()
    const due = await findDueSeries(project, seriesId)
    if (due !== null) await evaluateSeries(project, [due])
  }
  const runIds = new Set(runs.map((run) => run.id))
  const histories = await getSeriesHistories(project, seriesIds, evaluatedRuns)
  const candidates = runs.filter((run) => run.candidate && run.judged?.state !== 'invalid')
  const profiles = profilesWithRuns(histories.flatMap(profilesOf), runs, await candidatePoints(project, candidates))
  const judgements = await getJudgements(project, [...runIds])
  const alerts = await listAlerts(project, alertStates)
  const rules = await listRules(project)
  const reference = await listReferenceRuns(project, rules)
  const at = new Date().toISOString()
  const { problems } = await getUpload(project, uploadId)
  const worst = problems.find((one) => one.severity === 'error')
  const problem = worst ? `${worst.message}${worst.line === null ? '' : ` (line ${worst.line})`}` : null
  const openAlerts = openAlertsOf(alerts, new Set(seriesIds), runIds)
  const raised = raisedBy(alerts, runIds)
  const invalidRuns = repeat === 0 ? 0 : await countInvalidRepeats(project, runs)
  const known = { profiles, wait, repeat, invalidRuns, rules, reference, at, judgements, raised, openAlerts, problem }
  const input = { ...known, instruments: await instrumentsOf(project, judgeForBuild(known)) }
  const verdict = judgeForBuild(input)
  if (strict || failingChanges(verdict).length === 0) return verdict
  const asked = await Promise.all(environmentsOf(verdict).map((environment) => listNeighbourhood(project, environment)))
  return judgeForBuild({ ...input, isOffWithEnvironment: (row) => isOff(row, asked.flat()) })
}

/** What the environments of baselines show; only these have a threshold that is compared with single runs. */
async function instrumentsOf(
  project: Granted<'read'>,
  { rows }: GateVerdict,
): Promise<ReadonlyMap<string, Instrument>> {
  const compared = rows.filter((row) => row.kind === 'baseline' && row.expected !== null)
  const names = new Set(compared.flatMap(({ profile }) => profile.series.environment ?? []))
  const found = new Map<string, Instrument>()
  for (const name of names) found.set(name, instrumentOf(await listInstrumentRuns(project, name)))
  return found
}

type PointsBySeries = ReadonlyMap<string, readonly SeriesPoint[]>

/** Points of candidates and of the earlier candidates that they may repeat, by series. */
async function candidatePoints(project: Granted<'read'>, candidates: readonly RunRow[]): Promise<PointsBySeries> {
  const found = await listCandidateRepeats(project, candidates)
  const seriesOf = new Map(found.map(({ id, seriesId }) => [id, seriesId]))
  const points = await getRunPoints(project, [...seriesOf.keys()])
  return groupBy(points, ({ runId }) => seriesOf.get(runId) ?? '')
}

const failingChanges = ({ rows }: GateVerdict) => rows.filter((row) => row.kind === 'change-point' && failsBuild(row))

/** The environments of changes that would fail a build. */
const environmentsOf = (verdict: GateVerdict): readonly string[] => [
  ...new Set(failingChanges(verdict).flatMap(({ profile }) => profile.series.environment ?? [])),
]

/** Whether its newest run is off because the environment is: since its level changed, or the first such run of late. */
function isOff(
  { profile, metric, judged }: Pick<GateChangeRow, 'profile' | 'metric' | 'judged'>,
  neighbours: readonly Neighbour[],
): boolean {
  // It measures the environment, named or not.
  if (profile.points.at(-1)?.isOfControl === true) return true
  const { level, value, change, outside } = judged
  const points = trendPoints(profile, metric).filter((point) => point.value !== null && !point.isBarred)
  const afterRunId = change?.afterRunId ?? points.at(-Math.max(1, outside))?.runIds[0]
  if (level === null || level <= 0 || value <= 0 || afterRunId === undefined) return false
  return isRunOffWithEnvironment(profile, neighbours, { metric, afterRunId, effectRatio: value / level - 1 })
}

/**
 * The profiles that the runs joined, and those that candidates are compared with, with the candidate as the newest run,
 * after the earlier runs of its commit.
 */
function profilesWithRuns(profiles: readonly LoadProfile[], runs: readonly RunRow[], candidates: PointsBySeries) {
  const runIds = new Set(runs.map((run) => run.id))
  const joined = profiles
    .filter((profile) => profile.points.some((point) => runIds.has(point.runId)))
    .map((profile) => ({ profile, runIds }))
  const apart = profiles.flatMap((profile) => {
    const points = (candidates.get(profile.series.id) ?? []).filter((one) => nameOf(one) === profile.name)
    return points.filter(({ runId }) => runIds.has(runId)).map((own) => withCandidate(profile, points, own))
  })
  return [...joined, ...apart]
}

const nameOf = ({ tool, load }: SeriesPoint): string => profileName(tool, load)

function withCandidate(profile: LoadProfile, candidates: readonly SeriesPoint[], own: SeriesPoint) {
  const earlier = candidates.filter((one) => isEarlierRepeat(one, own))
  const newest = [...earlier, own].map((point) => ({ ...point, guards: [] }))
  const runIds = new Set(newest.map(({ runId }) => runId))
  return { profile: { ...profile, points: [...profile.points, ...newest] }, runIds }
}

const isEarlierRepeat = (one: SeriesPoint, own: SeriesPoint): boolean =>
  one.runId !== own.runId && one.orderedAt <= own.orderedAt && repeats(one, own)
