import { z } from 'zod'
import type { Trash } from '@/lib/project/stored-trash'
import { runFiguresSchema } from '@/lib/run/figures-schema'
import { runGuardSchema } from '@/lib/run/guard'
import { importedRunSchema, loadSchema, stringsSchema, toolSchema, warningsSchema } from '@/lib/run/imported-run-schema'
import { judgedStates } from '@/lib/run/judged-states'
import { runJudgementSchema } from '@/lib/run/judgement'
import { utcIsoSchema } from '@/lib/run/timestamp'
import type { RunPage } from '@/lib/history/run-list'
import type { RunPart, RunRow, StoredRun } from '@/lib/history/stored-runs'
import { schemaOf, type Described } from '@/lib/schema-of'
import { trashedUploadFields, uploadRowAnswer } from './upload-answers'

const text = z.string().nullable()

const row = z.object({
  id: z.string(),
  projectId: z.string(),
  projectSlug: z.string(),
  uploadId: z.string(),
  seriesId: z.string(),
  indexInUpload: z.number().describe('From 0.'),
  scenario: z.string(),
  variant: text,
  environment: text,
  labels: stringsSchema,
  tool: toolSchema,
  form: z.string().describe('The form of the output.'),
  load: loadSchema,
  startedAt: utcIsoSchema.nullable().describe('Null: unknown.'),
  startedAtSource: text,
  uploadedAt: utcIsoSchema,
  orderedAt: utcIsoSchema.describe('`startedAt`, else `uploadedAt`.'),
  complete: z.boolean().describe('False: the output was truncated.'),
  guards: z.array(runGuardSchema),
  candidate: z.boolean().describe('Judged against its series without joining it.'),
  judged: z
    .object({ state: z.enum(judgedStates), sentence: z.string() })
    .nullable()
    .describe('Null: not judged yet.'),
  warnings: warningsSchema,
  figures: runFiguresSchema,
})

/** As in lists. */
export const runRowAnswer = schemaOf<RunRow>()(row.meta({ id: 'RunRow', description: 'A run in a list.' }))

const partAnswer = schemaOf<RunPart>()(
  row.extend({ uploadName: z.string() }).meta({ id: 'RunPart', description: 'A part of a merged run.' }),
)

const stored = row.extend({
  judgement: runJudgementSchema.nullable().describe('Null: not judged yet.'),
  counted: z.boolean().nullable().describe('Whether someone manually counted or excluded it. Null: neither.'),
  imported: importedRunSchema,
  notes: z.string().describe('Markdown.'),
  environmentAttributes: stringsSchema,
  upload: uploadRowAnswer,
})

/** With everything read from its file. */
export const runAnswer = schemaOf<StoredRun & { readonly parts?: readonly RunPart[] }>()(
  stored
    .extend({ parts: z.array(partAnswer).exactOptional().describe('For a merged run, its parts.') })
    .meta({ id: 'Run', description: 'A run with everything read from its file.' }),
)

export const runPageAnswer = schemaOf<RunPage>()(
  z.object({
    rows: z.array(runRowAnswer),
    nextCursor: text.describe('Value for `cursor`. Null: this is the last page.'),
  }),
)

export const trashAnswer = schemaOf<Trash>()(
  z.object({
    runs: z.array(
      row
        .extend({ deletedAt: utcIsoSchema, deletedBy: z.enum(['run', 'retention']) })
        .meta({ id: 'TrashedRun', description: '`deletedBy` `run`: a person deleted it.' }),
    ),
    uploads: z.array(
      trashedUploadFields.meta({ id: 'TrashedUpload', description: 'With the number of runs trashed along with it.' }),
    ),
    more: z.boolean().describe('There are others.'),
  }),
)

/** What merging the runs of several generators would give. */
export const mergePlanAnswer = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('merged'),
      remarks: z.array(z.string()).readonly().describe('What the figures are based on, and what is not merged.'),
      load: loadSchema,
      complete: z.boolean(),
      figures: runFiguresSchema,
    }),
    z.object({ kind: z.literal('refused'), reason: z.string(), hint: z.string() }),
  ])
  .meta({ id: 'MergePlan', description: 'The merged run, or why the runs cannot be merged.' })
export type MergePlan = Described<typeof mergePlanAnswer>

export const searchAnswer = z.object({
  runs: z.array(
    row.pick({
      id: true,
      scenario: true,
      variant: true,
      environment: true,
      labels: true,
      tool: true,
      orderedAt: true,
      judged: true,
    }),
  ),
  comparisons: z.array(z.object({ id: z.string(), name: z.string(), kind: z.enum(['runs', 'matrix']) })),
})
