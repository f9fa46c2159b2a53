import { z } from 'zod'
import { namedMappingSchema } from '@/lib/run/column-mapping'
import { importedRunSchema } from '@/lib/run/imported-run-schema'
import { utcIsoSchema } from '@/lib/run/timestamp'
import type { UploadDetail, UploadSummary } from '@/lib/history/stored-uploads'
import { schemaOf, type Described } from '@/lib/schema-of'
import type { UploadProgress } from '@/prisma/queries/uploads/upload-progress'
import type { UploadPage } from '@/prisma/queries/uploads/upload-list'
import { cellNotesSchema, problemsSchema } from '@/prisma/rows/json-columns'

const text = z.string().nullable()

const summary = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  sizeBytes: z.number(),
  kind: z.string(),
  encoding: text.describe('Null: binary.'),
  lineCount: z.number().nullable(),
  sentSha256: z.string(),
  storedSha256: z.string().describe('Hash of the bytes after masking.'),
  state: z.enum(['draft', 'saved']),
  createdAt: utcIsoSchema,
  rawRemovedAt: utcIsoSchema.nullable().describe('When retention deleted the file. Null: it is still stored.'),
  keepSecrets: z.boolean().describe('Whether possible secrets were left unmasked.'),
})

export const uploadRowAnswer = schemaOf<UploadSummary>()(
  summary.meta({ id: 'UploadRow', description: 'A raw file, stored unchanged.' }),
)
export const trashedUploadFields = summary.extend({ deletedAt: utcIsoSchema, runCount: z.number() })

export const uploadAnswer = schemaOf<UploadDetail>()(
  summary
    .extend({
      problems: problemsSchema,
      cellNotes: cellNotesSchema,
      mapping: namedMappingSchema
        .nullable()
        .describe('The mapping that its samples were read with. Null: a known format.'),
      draftRuns: z.array(importedRunSchema).describe('For a draft, the runs found, in order.'),
    })
    .meta({ id: 'Upload', description: 'An upload with its contents.' }),
)

export const uploadPageAnswer = schemaOf<UploadPage>()(
  z.object({
    uploads: z.array(uploadRowAnswer),
    nextBefore: text.describe('Value for `before`. Null: this is the last page.'),
  }),
)

export const uploadProgressAnswer = schemaOf<UploadProgress>()(
  z.object({
    receivedBytes: z.number(),
    readBytes: z.number(),
    isStoring: z.boolean().describe('Everything is read; the result is being stored.'),
  }),
)

const runLink = z.object({ id: z.string(), url: z.string() })

/** Runs by id, with the path of their pages. */
export const runLinksAnswer = z.object({ runs: z.array(runLink) })

export const savedDraftAnswer = runLinksAnswer.extend({
  merged: text.describe('The id of the run created by `merge`. Null: not requested.'),
})

/** What an upload became. */
export const savedUploadAnswer = z
  .object({
    upload: uploadRowAnswer,
    duplicate: z.boolean().describe('The runs of an earlier upload of the same bytes.'),
    labelsDiffer: z.boolean().describe('Whether different labels were sent and not applied.'),
    candidateDiffers: z
      .boolean()
      .describe(
        'Whether the duplicate was saved with another `candidate` than requested; it is judged as it was saved.',
      ),
    warnings: z.array(z.string()).readonly(),
    runs: z.array(runLink.extend({ scenario: z.string(), variant: text, environment: text })),
  })
  .meta({ id: 'SavedUpload', description: 'The runs of an upload.' })
export type SavedUploadAnswer = Described<typeof savedUploadAnswer>

/** A preview. */
export const draftAnswer = z
  .object({
    upload: uploadAnswer,
    url: z.string().describe('The path of the preview.'),
    savedBefore: z
      .object({ upload: uploadRowAnswer, runs: z.array(runLink) })
      .nullable()
      .describe('The earlier upload of the same bytes. Null: none.'),
  })
  .meta({ id: 'Draft', description: 'A preview of an upload.' })
export type DraftAnswer = Described<typeof draftAnswer>
