import { cubeVersion } from '../../lib/cube/cube'
import { mayHaveRows } from '../../lib/cube/row-forms'
import type { Db } from './access'
import { insertRows } from './insert-rows'

/** Rows of the runs of a file, counted (lib/history/cube-codec.ts), by index in it; null: it has none of that run. */
export type EncodedCubes = readonly (Uint8Array | null)[]

interface CountedRun {
  readonly id: string
  readonly index: number
  readonly form: string
}

/**
 * Stores the cubes of an upload's runs in place of earlier ones. `cubes` null: nobody counted the rows, and they wait
 * for the background if there are any.
 */
export async function keepCubes(
  db: Db,
  uploadId: string,
  runs: readonly CountedRun[],
  cubes: EncodedCubes | null,
): Promise<void> {
  const withRows = runs.filter(({ form }) => mayHaveRows(form))
  if (cubes !== null) return saveCubes(db, withRows, cubes)
  if (withRows.length > 0)
    await db.$executeRaw`INSERT INTO cube_due (upload_id) VALUES (${uploadId}) ON CONFLICT (upload_id) DO NOTHING`
}

/** Cubes in one statement: each may have 60 kB. */
const atOnce = 5

/** Stores the cubes of these runs, in place of earlier ones. */
export async function saveCubes(
  db: Db,
  runs: readonly Pick<CountedRun, 'id' | 'index'>[],
  cubes: EncodedCubes,
): Promise<void> {
  for (let at = 0; at < runs.length; at += atOnce) {
    const part = runs.slice(at, at + atOnce)
    await db.$executeRaw`DELETE FROM run_cube WHERE run_id = ANY(${part.map(({ id }) => id)}::text[])`
    const rows = part.map(({ id, index }) => ({ runId: id, version: cubeVersion, cube: cubes[index] ?? null }))
    await insertRows(db, 'run_cube', rows)
  }
}
