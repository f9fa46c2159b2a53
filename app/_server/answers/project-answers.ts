import { z } from 'zod'
import { annotationKinds, type Annotation } from '@/lib/project/annotations'
import { shareKinds, type ShareSummary } from '@/lib/project/stored-shares'
import { ownSettings, retentionSchema, type Retention } from '@/lib/project/project-settings'
import type { BadgeSummary } from '@/lib/rules/badge'
import { columnMappingSchema } from '@/lib/run/column-mapping'
import { utcIsoSchema } from '@/lib/run/timestamp'
import { comparisonKinds, type SavedComparison } from '@/lib/project/stored-comparisons'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import { schemaOf, type Described } from '@/lib/schema-of'
import type { StoredMapping } from '@/prisma/queries/uploads/sample-mappings'
import { frozenNoiseSchema, sharedNotesSchema } from '@/prisma/rows/share-rows'

const text = z.string().nullable()

export const projectAnswer = schemaOf<ProjectSummary>()(
  z
    .object({
      id: z.string(),
      slug: z.string().describe('Its name in addresses.'),
      createdAt: utcIsoSchema,
      runCount: z.number(),
      latestRunAt: utcIsoSchema.nullable(),
      ...ownSettings.shape,
    })
    .meta({ id: 'Project', description: 'The owner of runs, rules and alerts.' }),
)

export const retentionAnswer = schemaOf<Retention>()(
  z.object(retentionSchema.shape).meta({ id: 'Retention', description: 'How long runs and raw files are stored.' }),
)

export const annotationAnswer = schemaOf<Annotation>()(
  z
    .object({
      id: z.string(),
      kind: z.enum(annotationKinds),
      text: z.string(),
      at: utcIsoSchema,
      scenario: text.describe('Null: the whole project.'),
    })
    .meta({ id: 'Annotation', description: 'An event outside the runs.' }),
)

export const mappingAnswer = schemaOf<StoredMapping>()(
  z
    .object({
      name: z.string(),
      mapping: columnMappingSchema,
      setBy: text.describe('The account that last changed it. Null: it no longer exists, or there are no accounts.'),
      setAt: utcIsoSchema,
    })
    .meta({ id: 'Mapping', description: 'How samples from an unknown tool are read: the meaning of each column.' }),
)

export const comparisonAnswer = schemaOf<SavedComparison>()(
  z
    .object({
      id: z.string(),
      projectId: z.string(),
      projectSlug: z.string(),
      name: z.string(),
      kind: z.enum(comparisonKinds),
      refs: z
        .string()
        .describe('`A+B...C`: sides separated by `...`, the base first; repeats by `+`. Empty for a matrix.'),
      view: z.string().describe('The query string of its page, without `?`.'),
      notes: z.string().describe('Markdown: how it was measured.'),
      takeaways: z.string().describe('Markdown: what follows from it.'),
      createdAt: utcIsoSchema,
      updatedAt: utcIsoSchema,
    })
    .meta({ id: 'SavedComparison', description: 'A comparison or matrix with its conclusions.' }),
)

export const shareAnswer = schemaOf<ShareSummary>()(
  z
    .object({
      id: z.string(),
      projectId: z.string(),
      name: z.string(),
      kind: z.enum(shareKinds),
      runIds: z.array(z.string()).describe('For a comparison, the base comes first.'),
      sideSizes: z.array(z.number()).describe('The number of consecutive runs in each side.'),
      view: z.string().describe('The query string of its page, without `?`.'),
      notes: z.string().describe('Markdown.'),
      cellNotes: sharedNotesSchema,
      noise: frozenNoiseSchema.describe('The noise of its sides, from their histories when it was created.'),
      includeRaw: z.boolean(),
      includeWhy: z.boolean().describe('Of a comparison: whether what its difference stands with is shown.'),
      embeddable: z.boolean().describe('Whether other sites may show it in a frame.'),
      createdAt: utcIsoSchema,
      expiresAt: utcIsoSchema.nullable().describe('Null: never.'),
      revokedAt: utcIsoSchema.nullable(),
      viewCount: z.number(),
      lastViewedAt: utcIsoSchema.nullable(),
    })
    .meta({ id: 'Share', description: 'A public link, without its address.' }),
)

export const madeShareAnswer = shareAnswer.extend({ url: z.string() })
/** A share with its link, which cannot be read again later. */
export type MadeShare = Described<typeof madeShareAnswer>

export const badgeAnswer = schemaOf<BadgeSummary>()(
  z
    .object({
      id: z.string(),
      projectId: z.string(),
      seriesId: z.string(),
      metricId: z.string(),
      label: z.string(),
      createdAt: utcIsoSchema,
    })
    .meta({ id: 'Badge', description: 'An image with the newest figure of a series.' }),
)

export const madeBadgeAnswer = badgeAnswer.extend({
  url: z.string(),
  // A click leads nowhere: the project is not public.
  markdown: z.string().describe('Markdown for a README.'),
})
/** A badge with its address, which cannot be read again later. */
export type MadeBadge = Described<typeof madeBadgeAnswer>
