import { z } from 'zod'
import { NotFoundError } from '../../../lib/errors'
import type { RunPlace } from '../../../lib/history/neighbours'
import type { RunRow, StoredRun } from '../../../lib/history/stored-runs'
import { counterpartForms, isSameAttack } from '../../../lib/judge/same-attack'
import { tools } from '../../../lib/run/tools'
import { database } from '../../db'
import { Prisma } from '../../generated/client'
import { toRunRow } from '../../rows/run-rows'
import type { Granted } from '../../statements/access'
import { cachedImportedRuns, runVersions } from '../../statements/imported-runs'
import { rawRunRowSchema, rowColumnsSql } from '../../statements/read-rows'

/** The runs that a run's page leads to. */
export interface RunsBeside {
  /** The run before it in its series, not a candidate; null: there is none. */
  readonly previous: RunRow | null
  /** The baseline of its scenario and environment, which may be the run itself; null when none was chosen. */
  readonly baseline: RunRow | null
  /**
   * The runs of the same attack in another form, in the same project: for a report, the results that it was made from;
   * for results, the reports; newest first. Empty for forms that have no counterpart.
   */
  readonly sameAttack: readonly RunRow[]
  /**
   * Its place in its series: invalid runs count, candidates and those in the trash do not. A candidate has a place
   * between runs of the series, but is none of them.
   */
  readonly inSeries: RunPlace
  /** The runs of its document that are nearest to it, in the order of the file, at most 5. */
  readonly siblings: readonly RunRow[]
  /** Its place among all runs of its document. */
  readonly inDocument: RunPlace
}

type Asked = Pick<
  StoredRun,
  | 'id'
  | 'seriesId'
  | 'orderedAt'
  | 'uploadId'
  | 'indexInUpload'
  | 'candidate'
  | 'scenario'
  | 'environment'
  | 'tool'
  | 'imported'
  | 'figures'
>

const maxCounted = 1_000
const maxSiblings = 5
/** Runs read at most to find the same attack: no one uploads this many forms of one. */
const maxAttack = 12

const placesSchema = z.object({
  previousId: z.string().nullable(),
  nextId: z.string().nullable(),
  before: z.coerce.number(),
  after: z.coerce.number(),
  previousInDocument: z.string().nullable(),
  nextInDocument: z.string().nullable(),
  beforeInDocument: z.coerce.number(),
  afterInDocument: z.coerce.number(),
})
const kinds = ['previous', 'baseline', 'sibling', 'attack'] as const
const rowSchema = z.union([rawRunRowSchema.and(z.object({ kind: z.enum(kinds) })), z.object({ kind: z.null() })])
const rowsSchema = z.array(placesSchema.and(rowSchema))

/** What is beside a run, in one statement. Throws NotFoundError. */
export async function findRunsBeside(project: Granted<'read'>, run: Asked): Promise<RunsBeside> {
  const rows = rowsSchema.parse(await database().$queryRaw(besideSql(project.id, run)))
  const [places] = rows
  if (places === undefined) throw new NotFoundError('Run')
  const of = (kind: (typeof kinds)[number]) =>
    rows.flatMap((row) => (row.kind === kind ? [toRunRow({ ...row, project })] : []))
  const inSeries = placed(places)
  return {
    previous: of('previous')[0] ?? null,
    baseline: of('baseline')[0] ?? null,
    sameAttack: await sameAttack(run, of('attack').sort(newestFirst)),
    inSeries: run.candidate ? { ...inSeries, place: null } : inSeries,
    siblings: of('sibling').sort((a, b) => a.indexInUpload - b.indexInUpload),
    inDocument: placed({
      ...{ previousId: places.previousInDocument, nextId: places.nextInDocument },
      ...{ before: places.beforeInDocument, after: places.afterInDocument },
    }),
  }
}

type Counted = Pick<z.infer<typeof placesSchema>, 'previousId' | 'nextId' | 'before' | 'after'>

function placed({ previousId, nextId, before, after }: Counted): RunPlace {
  const isCounted = before <= maxCounted && after <= maxCounted
  return { previousId, nextId, place: isCounted ? { at: before + 1, of: before + 1 + after } : null }
}

const newestFirst = (a: RunRow, b: RunRow) =>
  a.orderedAt === b.orderedAt ? (a.id < b.id ? 1 : -1) : a.orderedAt < b.orderedAt ? 1 : -1

/** Those of the runs whose requests are those of this one. */
async function sameAttack({ imported: own }: Asked, candidates: readonly RunRow[]): Promise<readonly RunRow[]> {
  const { isExact } = counterpartForms(own)
  const ids = candidates.map(({ id }) => id)
  const imported = await cachedImportedRuns(database(), await runVersions(database(), ids))
  return candidates.filter(({ id }) => {
    const other = imported.get(id)
    return other !== undefined && (isExact ? isSameAttack(own, other) : isSameAttack(other, own))
  })
}

/**
 * One row for each run beside it, with its kind and all places; without any, one row of places. Row comparisons, so that
 * an index scan begins at the run, however many are before it.
 */
function besideSql(projectId: string, run: Asked): Prisma.Sql {
  const [seriesId, orderedAt, id] = [run.seriesId, new Date(run.orderedAt), run.id]
  const { scenario, environment, uploadId, indexInUpload: index } = run
  return Prisma.sql`
    WITH earlier AS MATERIALIZED (
      SELECT id, row_number() OVER () AS at FROM (
        SELECT id FROM run WHERE (series_id, ordered_at, id) < (${seriesId}, ${orderedAt}, ${id})
          AND series_id >= ${seriesId} AND deleted_at IS NULL AND NOT candidate
        ORDER BY series_id DESC, ordered_at DESC, id DESC LIMIT ${maxCounted + 1}
      ) AS nearest
    ), later AS MATERIALIZED (
      SELECT id, row_number() OVER () AS at FROM (
        SELECT id FROM run WHERE (series_id, ordered_at, id) > (${seriesId}, ${orderedAt}, ${id})
          AND series_id <= ${seriesId} AND deleted_at IS NULL AND NOT candidate
        ORDER BY series_id, ordered_at, id LIMIT ${maxCounted + 1}
      ) AS nearest
    ), document AS MATERIALIZED (
      SELECT id, index_in_upload AS at FROM run
      WHERE upload_id = ${uploadId} AND project_id = ${projectId} AND deleted_at IS NULL AND id <> ${id}
      ORDER BY index_in_upload LIMIT ${maxCounted + 1}
    ), beside AS (
      SELECT 'previous' AS kind, id FROM earlier WHERE at = 1
      UNION ALL (
        SELECT 'baseline', marked.id FROM baseline AS b JOIN run AS marked ON marked.id = b.run_id
        WHERE b.project_id = ${projectId} AND b.scenario = ${scenario}
          AND COALESCE(b.environment, '') = COALESCE(${environment}::text, '')
          AND marked.scenario = b.scenario AND marked.environment IS NOT DISTINCT FROM b.environment LIMIT 1
      )
      UNION ALL (SELECT 'sibling', id FROM document ORDER BY abs(at - ${index}::int), at LIMIT ${maxSiblings})
      UNION ALL (
        SELECT 'attack', id FROM run WHERE project_id = ${projectId} AND deleted_at IS NULL AND complete AND ${attackSql(run)}
        ORDER BY ordered_at DESC, id DESC LIMIT ${maxAttack}
      )
    )
    SELECT found.kind, ${rowColumnsSql},
      (SELECT id FROM earlier WHERE at = 1) AS "previousId", (SELECT id FROM later WHERE at = 1) AS "nextId",
      (SELECT count(*) FROM earlier) AS before, (SELECT count(*) FROM later) AS after,
      (SELECT id FROM document WHERE at < ${index}::int ORDER BY at DESC LIMIT 1) AS "previousInDocument",
      (SELECT id FROM document WHERE at >= ${index}::int ORDER BY at LIMIT 1) AS "nextInDocument",
      (SELECT count(*) FROM document WHERE at < ${index}::int) AS "beforeInDocument",
      (SELECT count(*) FROM document WHERE at >= ${index}::int) AS "afterInDocument"
    FROM series LEFT JOIN (
      beside AS found JOIN run AS r ON r.id = found.id AND r.project_id = ${projectId} AND r.deleted_at IS NULL
    ) ON true
    WHERE series.id = ${seriesId} AND series.project_id = ${projectId}`
}

/** Runs that may be the same attack: of the forms that can be, with a figure that both forms have, found by its index. */
function attackSql({ tool, imported, figures }: Asked): Prisma.Sql {
  const { forms } = counterpartForms(imported)
  if (forms.length === 0) return Prisma.sql`false`
  const isForm = Prisma.sql`form = ANY(${[...forms]}::text[])`
  const shared = tools[tool].attackForms
  if (shared?.sharedFigure !== 'maxMs')
    return imported.requests === null
      ? Prisma.sql`false`
      : Prisma.sql`${isForm} AND requests = ${imported.requests}::float8`
  if (figures.maxMs === null) return Prisma.sql`false`
  // Half of the last place, plus floating-point error.
  const reachMs = shared.placeMs(figures.maxMs) * 0.51
  return Prisma.sql`${isForm} AND max_ms BETWEEN ${figures.maxMs - reachMs} AND ${figures.maxMs + reachMs}`
}
