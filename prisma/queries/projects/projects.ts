import { z } from 'zod'
import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import type { NewsRun } from '../../../lib/project/project-news'
import {
  defaultSettings,
  retentionSchema,
  type ProjectEdits,
  type Retention,
} from '../../../lib/project/project-settings'
import { settingLimits } from '../../../lib/project/setting-limits'
import type { ProjectSummary } from '../../../lib/project/stored-projects'
import type { Need, Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { Prisma } from '../../generated/client'
import { isSlug, newId } from '../../rows/ids'
import { checkedName } from '../../rows/limits'
import { settingColumns, toOwnSettings } from '../../rows/project-rows'
import { toJudgedRow } from '../../rows/run-rows'
import { readTotals } from '../../search/term-counts'
import {
  grantIn,
  requireScope,
  requireSlug,
  systemViewer,
  visibleProjects,
  visibleProjectsSql,
  type Db,
  type Granted,
} from '../../statements/access'

export type { Granted }

/** The projects that the viewer may see, by name. */
export async function listProjects(viewer: Viewer): Promise<readonly ProjectSummary[]> {
  return summariesOf(visibleProjects(viewer))
}

const newsSchema = z.array(
  z.object({
    ...{ id: z.string(), projectId: z.string(), projectSlug: z.string() },
    ...{ uploadId: z.string(), uploadName: z.string(), seriesId: z.string() },
    ...{ scenario: z.string(), variant: z.string().nullable(), candidate: z.boolean() },
    ...{ orderedAt: z.date(), judgedState: z.string().nullable(), judgedSentence: z.string().nullable() },
    ...{ p99Ms: z.number().nullable(), meanMs: z.number().nullable() },
    ...{ throughputPerSecond: z.number().nullable(), requestsPerSecond: z.number().nullable() },
  }),
)

/**
 * The newest runs of each of these projects, at most `limit` (200) per project, newest first: those that the viewer may
 * see.
 */
export async function listProjectNews(
  viewer: Viewer,
  projects: readonly { readonly id: string }[],
  limit: number,
): Promise<readonly NewsRun[]> {
  const visible = visibleProjectsSql(viewer)
  if (projects.length === 0) return []
  const rows = newsSchema.parse(
    await database().$queryRaw`
      SELECT r.id, r.project_id AS "projectId", project.slug AS "projectSlug", r.upload_id AS "uploadId",
        upload.name AS "uploadName", r.series_id AS "seriesId", r.scenario, r.variant, r.candidate,
        r.ordered_at AS "orderedAt", r.judged_state AS "judgedState", r.judged_sentence AS "judgedSentence",
        r.p99_ms AS "p99Ms", r.mean_ms AS "meanMs", r.throughput_per_second AS "throughputPerSecond",
        r.requests_per_second AS "requestsPerSecond"
      FROM project CROSS JOIN LATERAL (
        SELECT * FROM run WHERE run.project_id = project.id AND deleted_at IS NULL
        ORDER BY ordered_at DESC, run.id DESC LIMIT ${Math.min(Math.max(1, Math.trunc(limit)), 200)}
      ) AS r JOIN upload ON upload.id = r.upload_id
      WHERE project.id = ANY(${projects.map(({ id }) => id)}::text[]) AND ${visible}
      ORDER BY r.ordered_at DESC, r.id DESC`,
  )
  return rows.map(({ orderedAt, judgedState, judgedSentence, ...own }) => {
    const { p99Ms, meanMs, throughputPerSecond, requestsPerSecond, ...run } = own
    return {
      ...run,
      orderedAt: orderedAt.toISOString(),
      judged: toJudgedRow({ judgedState, judgedSentence }),
      figures: { p99Ms, meanMs, throughputPerSecond, requestsPerSecond },
    }
  })
}

/**
 * A project by its slug. `need`: what the caller is about to do there, if work comes before the query that does it.
 * Throws NotFoundError, ForbiddenError.
 */
export async function getProject(viewer: Viewer, slug: string, need: Need = 'read'): Promise<ProjectSummary> {
  if (need !== 'read') await requireSlug(database(), viewer, slug, need)
  const found = await findProject(viewer, slug)
  if (found === null) throw new NotFoundError('Project')
  return found
}

/** How many runs a project has; none of them is in the trash. */
export async function getRunCount({ id }: Granted<'read'>): Promise<number> {
  return (await readTotals(database(), [id])).get(id)?.runs ?? 0
}

/** The right to do this in a project, named by its id or its address. Throws NotFoundError, ForbiddenError. */
export const grant = <N extends Need>(
  viewer: Viewer,
  project: { readonly id: string } | { readonly slug: string },
  need: N,
): Promise<Granted<N>> => grantIn(database(), viewer, project, need)

/**
 * A project by its slug; null when there is none that the viewer may see. Throws ForbiddenError for a token that may
 * read none.
 */
export async function findProject(viewer: Viewer, slug: string): Promise<ProjectSummary | null> {
  const visible = visibleProjects(viewer)
  if (!isSlug(slug)) return null
  const [found] = await summariesOf({ AND: [visible, { slug }] })
  return found ?? null
}

/**
 * The project that the viewer uploads to, or reads the verdict on an upload in (`read`); null when there is none. An
 * upload token's data is read, judged and answered for the project itself: the token may read nothing. Throws
 * ForbiddenError.
 */
export async function findUploadTarget<N extends 'upload' | 'read'>(
  viewer: Viewer,
  slug: string,
  need: N,
): Promise<Granted<N> | null> {
  if (viewer.kind !== 'token' || viewer.scope !== 'upload') return grant(viewer, { slug }, need).catch(ifNotFound)
  const found = await grant(viewer, { slug }, 'upload').catch(ifNotFound)
  return found && grant(systemViewer(found), { id: found.id }, need)
}

function ifNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null
  throw error
}

/**
 * Its maker administers it. Throws ConflictError when the slug is taken, InvalidInputError for an invalid slug or name.
 */
export async function createProject(
  viewer: Viewer,
  input: { readonly slug: string; readonly name: string },
): Promise<ProjectSummary> {
  requireScope(viewer, 'administer')
  const isAccount = viewer.kind === 'member' || (viewer.kind === 'token' && viewer.projectId === null)
  if (viewer.kind !== 'local' && !isAccount) throw new NotFoundError('Project')
  const { slug } = input
  if (!isSlug(slug)) {
    const hint = 'Use lower-case letters, digits and hyphens, at most 64.'
    throw new InvalidInputError(`“${slug}” is not a valid project slug.`, { field: 'slug', hint })
  }
  const name = checkedName('name', input.name)
  try {
    const members = isAccount ? { create: { accountId: viewer.accountId, role: 'admin' as const } } : undefined
    const { id, createdAt } = await database().project.create({
      data: { id: newId(), slug, name, ...(members === undefined ? {} : { members }) },
    })
    const { keepRawDays: _keepRawDays, keepRunsDays: _keepRunsDays, ...settings } = defaultSettings
    return { id, slug, name, createdAt: createdAt.toISOString(), runCount: 0, latestRunAt: null, ...settings }
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
      throw new ConflictError(`Project ${slug} already exists.`, 'Choose another name, or use that project.')
    }
    throw error
  }
}

/**
 * Changes a project's display name, its repository, its rule for candidates, which new uploads follow, or the window
 * that its series are judged by: then all of them are due. Its slug (and so its URLs) stays. Throws NotFoundError,
 * InvalidInputError.
 */
export async function editProject(granted: Granted<'administer'>, edits: ProjectEdits): Promise<ProjectSummary> {
  const { viewer, slug } = granted
  const project = await getProject(viewer, slug)
  const { judgedWindow } = edits
  const data = settingColumns(edits)
  await database().$transaction(async (tx) => {
    await tx.project.update({ where: { id: project.id }, data })
    if (judgedWindow !== undefined && judgedWindow !== project.judgedWindow) await judgeAllAgain(tx, project.id)
  })
  return getProject(viewer, slug)
}

/** The figures of the series change: they are evaluated again, and what is stored of them for pages no longer holds. */
async function judgeAllAgain(db: Db, projectId: string): Promise<void> {
  await db.$executeRaw`INSERT INTO series_due (series_id) SELECT id FROM series WHERE project_id = ${projectId}`
  await db.$executeRaw`
    SELECT mark_stale_trends(ids) FROM (SELECT array_agg(id) AS ids FROM series WHERE project_id = ${projectId}) AS own`
}

/** Hides a project with all that it contains; its slug is free again. */
export async function deleteProject({ id }: Granted<'administer'>): Promise<void> {
  await database().project.update({ where: { id }, data: { deletedAt: new Date() } })
}

/** The retention of a project. */
export async function getRetention({ id }: Granted<'read'>): Promise<Retention> {
  return database().project.findUniqueOrThrow({ where: { id }, select: { keepRawDays: true, keepRunsDays: true } })
}

/** Sets the retention of a project. Throws InvalidInputError. */
export async function setRetention({ id }: Granted<'administer'>, retention: Retention): Promise<void> {
  const { data, success } = retentionSchema.safeParse(retention)
  if (!success) throw new InvalidInputError(`Retention is 1 to ${settingLimits.days} days.`, { field: 'days' })
  await database().project.update({ where: { id }, data })
}

async function summariesOf(where: Prisma.ProjectWhereInput): Promise<readonly ProjectSummary[]> {
  const projects = await database().project.findMany({ where, orderBy: [{ name: 'asc' }, { slug: 'asc' }] })
  const ids = projects.map((project) => project.id)
  const totals = await readTotals(database(), ids)
  return projects.map(({ id, slug, createdAt, ...row }) => ({
    id,
    slug,
    ...toOwnSettings(row),
    createdAt: createdAt.toISOString(),
    runCount: totals.get(id)?.runs ?? 0,
    latestRunAt: totals.get(id)?.latest?.toISOString() ?? null,
  }))
}
