import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { ArmRun } from '../../lib/experiment/stored-experiment'
import type { ImportedRun } from '../../lib/run/run'
import type { Db } from './access'
import { cachedImportedRuns } from './imported-runs'

/** Places of one experiment whose runs are read at most: more than its rounds can have. */
const maxRuns = 600
/** Reading a run blocks the thread. */
const runsAtOnce = 40

const runsSchema = z.array(
  z.object({
    id: z.string(),
    version: z.string(),
    round: z.string().nullable(),
    arm: z.string().nullable(),
    environment: z.string().nullable(),
  }),
)

/** The first run of each place of an experiment, or of an attempt of a session, and where they ran. */
export async function armRuns(
  db: Db,
  projectId: string,
  id: string,
): Promise<{ readonly runs: readonly ArmRun[]; readonly environment: string | null }> {
  const rows = runsSchema.parse(
    await db.$queryRaw`
      SELECT DISTINCT ON (2, 3) r.id, r.labels ->> 'round' AS round, r.labels ->> 'arm' AS arm, r.xmin::text AS version, r.environment
      FROM run_term AS t JOIN run AS r ON r.id = t.run_id
      WHERE t.term_id = term_list(${projectId}, 'label', 'experiment', ${id}) AND r.project_id = ${projectId}
        AND r.labels ->> 'experiment' = ${id} AND r.deleted_at IS NULL
      ORDER BY 2, 3, r.uploaded_at, r.id LIMIT ${maxRuns}`,
  )
  const imported = new Map<string, ImportedRun>()
  for (let at = 0; at < rows.length; at += runsAtOnce) {
    for (const [runId, run] of await cachedImportedRuns(db, rows.slice(at, at + runsAtOnce))) imported.set(runId, run)
    await setImmediate()
  }
  const runs = rows.flatMap(({ id: runId, round, arm }) => {
    const run = imported.get(runId)
    return run === undefined || arm === null || !/^[1-9]\d{0,3}$/.test(round ?? '')
      ? []
      : [{ id: runId, round: Number(round), arm, imported: run }]
  })
  return { runs, environment: rows.findLast(({ environment }) => environment !== null)?.environment ?? null }
}
