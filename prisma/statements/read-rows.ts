import { z } from 'zod'
import { Prisma } from '../generated/client'
import { columnOf, figureColumns, figuresSchema } from '../rows/figure-columns'
import type { RunRowRecord } from '../rows/run-rows'
import type { Db } from './access'

/** A line of the history as raw SQL reads it. */
export type RawRunRow = Omit<RunRowRecord, 'project'>

const ownSchema = {
  id: z.string(),
  projectId: z.string(),
  uploadId: z.string(),
  seriesId: z.string(),
  indexInUpload: z.number(),
  tool: z.string(),
  form: z.string(),
  scenario: z.string(),
  variant: z.string().nullable(),
  environment: z.string().nullable(),
  labels: z.json(),
  load: z.json(),
  warnings: z.json(),
  complete: z.boolean(),
  candidate: z.boolean(),
  counted: z.boolean().nullable(),
  guards: z.json(),
  judgedState: z.string().nullable(),
  judgedSentence: z.string().nullable(),
  startedAt: z.date().nullable(),
  startedAtSource: z.string().nullable(),
  uploadedAt: z.date(),
  orderedAt: z.date(),
}

/** A row of `rowColumnsSql`. */
export const rawRunRowSchema: z.ZodType<RawRunRow> = z.object({ ...ownSchema, ...figuresSchema })
export const rawRunRowsSchema = z.array(rawRunRowSchema)

const names = [...Object.keys(ownSchema), ...Object.keys(figureColumns)]

/** The columns of a line of the history, for the run `r`, under our names. Never contains input. */
export const rowColumnsSql = Prisma.raw(names.map((name) => `r.${columnOf(name)} AS "${name}"`).join(', '))

/** The live runs of an upload in the order of its file, and the merged runs that its runs are parts of. */
export async function readUploadRows(db: Db, uploadId: string): Promise<readonly RawRunRow[]> {
  return rawRunRowsSchema.parse(
    await db.$queryRaw`
      SELECT ${rowColumnsSql} FROM run AS r WHERE r.deleted_at IS NULL AND r.id IN (
        SELECT id FROM run WHERE upload_id = ${uploadId}
        UNION SELECT merged_into_id FROM run WHERE upload_id = ${uploadId} AND merged_into_id IS NOT NULL
      ) ORDER BY r.index_in_upload, r.id`,
  )
}
