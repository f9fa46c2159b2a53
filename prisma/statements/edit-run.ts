import { NotFoundError } from '../../lib/errors'
import { importedRunSchema } from '../../lib/run/imported-run-schema'
import type { RunEdits } from '../../lib/history/stored-runs'
import type { Prisma } from '../generated/client'
import { isId } from '../rows/ids'
import { notJudged, stateColumns } from '../rows/run-columns'
import { editedRunSelect, toRunState } from '../rows/run-rows'
import { editedState } from '../rows/run-state'
import { requireProject, type Db, type Granted } from './access'
import { calmFirstRuns } from './judgements'
import { addEnvironments } from './save-runs'

/** A run as read for a change. */
export type TakenRun = Prisma.RunGetPayload<{ select: typeof takenSelect }>

const takenSelect = { ...editedRunSelect, inSeries: true, imported: true } as const satisfies Prisma.RunSelect

/** The live run, locked until the end of the transaction. Throws NotFoundError. */
export async function takeRun(tx: Db, granted: Granted<'edit'>, runId: string): Promise<TakenRun> {
  const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
  if (!isId(runId)) throw new NotFoundError('Run')
  await tx.$executeRaw`SELECT 1 FROM run WHERE id = ${runId} AND project_id = ${project.id} FOR UPDATE`
  const where = { id: runId, projectId: project.id, deletedAt: null }
  const run = await tx.run.findFirst({ where, select: takenSelect })
  if (run === null) throw new NotFoundError('Run')
  return run
}

/** Writes the user's changes to a locked run. Throws InvalidInputError. */
export async function writeEdits(tx: Db, run: TakenRun, edits: RunEdits): Promise<void> {
  const upload = await tx.upload.findUniqueOrThrow({ where: { id: run.uploadId }, select: { id: true, name: true } })
  const imported = importedRunSchema.parse(run.imported)
  const state = editedState(toRunState(run), edits, Date.now())
  const owner = { ...upload, projectId: run.projectId, createdAt: run.uploadedAt }
  if (state.environment !== null && state.environment !== run.environment) {
    await addEnvironments(tx, run.projectId, new Map([[state.environment, {}]]))
  }
  const columns = stateColumns(state, imported, owner)
  // Back in its series, it is judged at the next evaluation.
  const cleared = columns.inSeries && !run.inSeries ? notJudged : {}
  await tx.run.update({ where: { id: run.id }, data: { ...columns, ...cleared } })
  if (!columns.inSeries) await calmFirstRuns(tx, [run.id])
}
