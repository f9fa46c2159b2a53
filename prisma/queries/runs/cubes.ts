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
}

const rowsSchema = z.array(
  z.object({ runId: z.string(), cube: z.instanceof(Uint8Array).nullable(), isDue: z.boolean() }),
)

/**
 * What was counted of these runs' rows by today's version; those that are not of the project are left out. Throws
 * NotFoundError when a share does not show one of them.
 */
export async function listCubes(
  project: Granted<'read'> | SharedRuns,
  runIds: readonly string[],
): Promise<readonly StoredCube[]> {
  const { viewer } = project
  const found = rowsSchema.parse(
    await database().$queryRaw`
      SELECT run.id AS "runId", CASE WHEN run_cube.version = ${cubeVersion} THEN run_cube.cube END AS cube,
        EXISTS (SELECT FROM cube_due WHERE cube_due.upload_id = run.upload_id) AS "isDue"
      FROM run LEFT JOIN run_cube ON run_cube.run_id = run.id
      WHERE run.project_id = ${project.id} AND run.deleted_at IS NULL AND run.id = ANY(${[...runIds]}::text[])`,
  )
  if (viewer.kind !== 'share') return found
  const shown = found.filter(({ runId }) => viewer.runIds.includes(runId))
  if (shown.length < new Set(runIds).size) throw new NotFoundError('Run')
  return shown
}

/** The mapping that a run's rows were read by; null: they are in a known form. Throws NotFoundError. */
export async function readRunMapping(project: Granted<'read'>, runId: string): Promise<NamedMapping | null> {
  const where = { id: runId, projectId: project.id, deletedAt: null }
  const run = await database().run.findFirst({ where, select: { upload: { select: { given: true } } } })
  if (run === null) throw new NotFoundError('Run')
  return givenSchema.parse(run.upload.given).mapping ?? null
}
