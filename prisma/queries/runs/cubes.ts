import { z } from 'zod'
import { cubeVersion } from '../../../lib/cube/cube'
import { NotFoundError } from '../../../lib/errors'
import type { NamedMapping } from '../../../lib/run/column-mapping'
import { database } from '../../db'
import { givenSchema } from '../../rows/json-columns'
import type { Granted, SharedRuns } from '../../statements/access'

/** The rows of a run, counted. */
export interface StoredCube {
  readonly runId: string
  /** As lib/history/cube-codec.ts writes it; null: there is none. */
  readonly cube: Uint8Array | null
  /** Its rows wait to be counted. */
  readonly isDue: boolean
  /** The merged run that it is a part of; null: it was asked for by its id. */
  readonly partOf: string | null
}

const rowsSchema = z.array(
  z.object({
    runId: z.string(),
    cube: z.instanceof(Uint8Array).nullable(),
    isDue: z.boolean(),
    partOf: z.string().nullable(),
  }),
)

/**
 * What was counted of these runs' rows by today's version, and of the parts of those that are merged; those that are not of
 * the project are left out. Throws NotFoundError when a share does not show one of them.
 */
export async function listCubes(
  project: Granted<'read'> | SharedRuns,
  runIds: readonly string[],
): Promise<readonly StoredCube[]> {
  const { viewer } = project
  const found = rowsSchema.parse(
    await database().$queryRaw`
      WITH wanted AS (
        SELECT id, NULL AS "partOf" FROM run
          WHERE id = ANY(${[...runIds]}::text[]) AND project_id = ${project.id} AND deleted_at IS NULL
        UNION ALL
        SELECT part.id, whole.id FROM run AS whole JOIN run AS part
          ON part.merged_into_id = whole.id AND part.project_id = whole.project_id
          WHERE whole.id = ANY(${[...runIds]}::text[]) AND whole.project_id = ${project.id} AND whole.deleted_at IS NULL
      )
      SELECT run.id AS "runId", CASE WHEN run_cube.version = ${cubeVersion} THEN run_cube.cube END AS cube,
        EXISTS (SELECT FROM cube_due WHERE cube_due.upload_id = run.upload_id) AS "isDue", wanted."partOf"
      FROM wanted JOIN run ON run.id = wanted.id LEFT JOIN run_cube ON run_cube.run_id = run.id
      ORDER BY run.id`,
  )
  if (viewer.kind !== 'share') return found
  const shown = found.filter(({ runId, partOf }) => viewer.runIds.includes(partOf ?? runId))
  const whole = shown.filter(({ partOf }) => partOf === null)
  if (whole.length < new Set(runIds).size) throw new NotFoundError('Run')
  return shown
}

/** The mapping that a run's rows were read by; null: they are in a known form. Throws NotFoundError. */
export async function readRunMapping(project: Granted<'read'>, runId: string): Promise<NamedMapping | null> {
  const where = { id: runId, projectId: project.id, deletedAt: null }
  const run = await database().run.findFirst({ where, select: { upload: { select: { given: true } } } })
  if (run === null) throw new NotFoundError('Run')
  return givenSchema.parse(run.upload.given).mapping ?? null
}
