import { z } from 'zod'
import { loadSchema, toolSchema } from '../../../lib/run/imported-run-schema'
import { judgedStates } from '../../../lib/run/judged-states'
import { groupBy } from '../../../lib/group-by'
import { experimentLabels } from '../../../lib/levels/points'
import type { PastRun } from '../../../lib/history/neighbours'
import type { RunRow } from '../../../lib/history/stored-runs'
import { database } from '../../db'
import type { Prisma } from '../../generated/client'
import { figureColumnsSql, figuresSchema } from '../../rows/figure-columns'
import type { Granted } from '../../statements/access'

type Placed = Pick<RunRow, 'id' | 'seriesId' | 'orderedAt'>

const maxPast = 60

const pastSchema = z.array(
  z.object({
    id: z.string(),
    upload_id: z.string(),
    ordered_at: z.date(),
    commit: z.string().nullable(),
    tool: toolSchema,
    load: loadSchema,
    judged_state: z.enum(judgedStates).nullable(),
    ...figuresSchema,
  }),
)

/** The newest 60 runs of the series before this one that take part in it, oldest first. */
export async function listPastRuns(project: Granted<'read'>, run: Placed): Promise<readonly PastRun[]> {
  // A row comparison, so that the index scan begins at the run, however many are newer.
  const rows = pastSchema.parse(
    await database().$queryRaw`
      SELECT id, upload_id, ordered_at, labels->>'commit' AS commit, tool, load, judged_state, ${figureColumnsSql}
      FROM run
      WHERE (run.series_id, run.ordered_at, run.id) < (${run.seriesId}, ${new Date(run.orderedAt)}, ${run.id})
        AND run.series_id >= ${run.seriesId} AND project_id = ${project.id} AND deleted_at IS NULL AND in_series
      ORDER BY run.series_id DESC, run.ordered_at DESC, run.id DESC LIMIT ${maxPast}`,
  )
  return rows.reverse().map(({ id, upload_id, ordered_at, commit, tool, load, judged_state: state, ...figures }) => {
    return { id, uploadId: upload_id, orderedAt: ordered_at.toISOString(), commit, tool, load, state, figures }
  })
}

const repeatHours = 24
const maxCandidateRepeats = 200
/** Commits of one upload whose repeats are looked for; others have none. */
const maxCommits = 20

const isMeasurement: Prisma.RunWhereInput = { OR: [{ judgedState: null }, { judgedState: { not: 'invalid' } }] }

/** A run and the series that it is of, or is compared with. */
export type RunOfSeries = Pick<RunRow, 'id' | 'seriesId'>

/** Runs of the series and commits of these, from a day before the first to the last; empty: they have no commit. */
function repeatsOf(runs: readonly RunRow[]): readonly Prisma.RunWhereInput[] {
  const commitOf = ({ labels }: RunRow) => {
    const label = experimentLabels.find((key) => labels[key] !== undefined)
    return label === undefined ? null : ([label, labels[label] ?? ''] as const)
  }
  const byCommit = [...groupBy(runs, (run) => JSON.stringify(commitOf(run))).values()].slice(0, maxCommits)
  return byCommit.flatMap((own): readonly Prisma.RunWhereInput[] => {
    const [first] = own
    const commit = first === undefined ? null : commitOf(first)
    if (commit === null) return []
    const [label, equals] = commit
    const times = own.map(({ orderedAt }) => orderedAt).sort()
    const [from = '', to = from] = [times[0], times.at(-1)]
    const orderedAt = { gte: new Date(Date.parse(from) - repeatHours * 3_600_000), lte: new Date(to) }
    const seriesId = { in: [...new Set(own.map((run) => run.seriesId))] }
    return [{ seriesId, orderedAt, labels: { path: [label], equals } }]
  })
}

/** These candidates, and earlier ones of their series and commits in the day before them: the newest 200. */
export async function listCandidateRepeats(
  project: Granted<'read'>,
  candidates: readonly RunRow[],
): Promise<readonly RunOfSeries[]> {
  const wanted = repeatsOf(candidates)
  if (wanted.length === 0) return candidates
  const own = new Set(candidates.map(({ id }) => id))
  const found = await database().run.findMany({
    where: { projectId: project.id, candidate: true, deletedAt: null, AND: [{ OR: [...wanted] }, isMeasurement] },
    orderBy: [{ orderedAt: 'desc' }, { id: 'desc' }],
    take: maxCandidateRepeats,
    select: { id: true, seriesId: true },
  })
  return [...candidates, ...found.filter(({ id }) => !own.has(id))]
}

/** How often the series and commits of these runs had a run, these included, that was no measurement that day. */
export async function countInvalidRepeats(project: Granted<'read'>, runs: readonly RunRow[]): Promise<number> {
  const wanted = repeatsOf(runs)
  if (wanted.length === 0) return 0
  return database().run.count({
    where: { projectId: project.id, judgedState: 'invalid', deletedAt: null, OR: [...wanted] },
  })
}
