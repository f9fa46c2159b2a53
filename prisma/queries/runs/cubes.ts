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
      SELECT run.id AS "runId", CASE WHEN run_cube.version = ${cubeVersion} THEN run_cube.cube END AS cube,
        EXISTS (SELECT FROM cube_due WHERE cube_due.upload_id = run.upload_id) AS "isDue",
        run.merged_into_id AS "partOf"
      FROM run LEFT JOIN run_cube ON run_cube.run_id = run.id LEFT JOIN run AS whole ON whole.id = run.merged_into_id
      WHERE run.project_id = ${project.id} AND CASE WHEN whole.id IS NULL
        THEN run.deleted_at IS NULL AND run.id = ANY(${[...runIds]}::text[])
        ELSE whole.project_id = run.project_id AND whole.deleted_at IS NULL AND whole.id = ANY(${[...runIds]}::text[]) END
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
