import { NotFoundError } from '../../../lib/errors'
import type { RunRow } from '../../../lib/history/stored-runs'
import { database } from '../../db'
import { isId, newId } from '../../rows/ids'
import { ownRowSelect, toRunRow } from '../../rows/run-rows'
import type { Granted } from '../../statements/access'

/** The baselines of a project: at most one run for each scenario and environment. */
export async function listBaselines(project: Granted<'read'>): Promise<readonly RunRow[]> {
  const marked = await database().baseline.findMany({
    where: { projectId: project.id, run: { projectId: project.id, deletedAt: null } },
    orderBy: [{ scenario: 'asc' }, { environment: 'asc' }],
    take: 1_000,
    select: { scenario: true, environment: true, run: { select: ownRowSelect } },
  })
  // A renamed run is no longer a baseline under its old name.
  return marked
    .filter(({ scenario, environment, run }) => run.scenario === scenario && run.environment === environment)
    .map(({ run }) => toRunRow({ ...run, project }))
}

/** Makes a run the baseline of its scenario and environment, in place of any other. Throws NotFoundError. */
export async function setBaselineRun(project: Granted<'edit'>, runId: string): Promise<void> {
  const where = { id: runId, projectId: project.id, deletedAt: null }
  const select = { scenario: true, environment: true } as const
  const run = isId(runId) ? await database().run.findFirst({ where, select }) : null
  if (run === null) throw new NotFoundError('Run')
  await database().$executeRaw`
    INSERT INTO baseline (id, project_id, scenario, environment, run_id)
    VALUES (${newId()}, ${project.id}, ${run.scenario}, ${run.environment}, ${runId})
    ON CONFLICT (project_id, scenario, COALESCE(environment, ''))
    DO UPDATE SET run_id = EXCLUDED.run_id, created_at = CURRENT_TIMESTAMP`
}

/** Removes the mark from a run; does nothing if it has none. Throws NotFoundError. */
export async function clearBaselineRun(project: Granted<'edit'>, runId: string): Promise<void> {
  const where = { id: runId, projectId: project.id, deletedAt: null }
  const run = isId(runId) ? await database().run.findFirst({ where, select: { id: true } }) : null
  if (run === null) throw new NotFoundError('Run')
  await database().baseline.deleteMany({ where: { runId: run.id, projectId: project.id } })
}
