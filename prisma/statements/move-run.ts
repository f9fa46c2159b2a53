import { stringsSchema } from '../../lib/run/imported-run-schema'
import type { Prisma } from '../generated/client'
import { newId } from '../rows/ids'
import type { Db } from './access'
import { addEnvironments } from './save-runs'

/**
 * Moves a run with its histograms and environment to another project. Its upload stays where it is; the run's part of
 * it goes along as an upload of the new project (the one that earlier moves made, if there is one), so that everything
 * below a project belongs to it alone.
 */
export async function moveRunTo(
  db: Db,
  run: {
    readonly id: string
    readonly projectId: string
    readonly uploadId: string
    readonly environment: string | null
  },
  toProjectId: string,
): Promise<void> {
  const uploadId = await uploadIn(db, run.uploadId, toProjectId)
  if (run.environment !== null) {
    const known = await db.environment.findUnique({
      where: { projectId_name: { projectId: run.projectId, name: run.environment } },
    })
    await addEnvironments(db, toProjectId, new Map([[run.environment, stringsSchema.parse(known?.attributes ?? {})]]))
  }
  await db.run.update({ where: { id: run.id }, data: { projectId: toProjectId, uploadId } })
  await db.histogram.updateMany({ where: { runId: run.id }, data: { projectId: toProjectId } })
}

async function uploadIn(db: Db, uploadId: string, projectId: string): Promise<string> {
  const upload = await db.upload.findUniqueOrThrow({ where: { id: uploadId } })
  const originId = upload.originId ?? upload.id
  // Two concurrent moves make one part.
  await db.$executeRaw`SELECT 1 FROM upload WHERE id = ${originId} FOR UPDATE`
  const known = await db.upload.findFirst({
    where: { projectId, deletedAt: null, state: 'saved', OR: [{ id: originId }, { originId }] },
    select: { id: true },
    orderBy: { createdAt: 'asc' },
  })
  if (known !== null) return known.id
  const { problems, cellNotes, given, ...columns } = upload
  const data: Prisma.UploadUncheckedCreateInput = {
    ...columns,
    id: newId(),
    projectId,
    originId,
    problems: problems ?? [],
    cellNotes: cellNotes ?? [],
    given: given ?? {},
  }
  return (await db.upload.create({ data, select: { id: true } })).id
}
