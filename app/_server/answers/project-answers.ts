import { z } from 'zod'
import { annotationKinds, type Annotation } from '@/lib/project/annotations'
import { shareKinds, type ShareSummary } from '@/lib/project/stored-shares'
import type { Retention } from '@/lib/project/stored-trash'
import type { BadgeSummary } from '@/lib/rules/badge'
import { columnMappingSchema } from '@/lib/run/column-mapping'
import { utcIsoSchema } from '@/lib/run/timestamp'
import { judgedWindows } from '@/lib/run/steady-part'
import { comparisonKinds, type ProjectSummary, type SavedComparison } from '@/lib/run/stored'
import { schemaOf, type Described } from '@/lib/schema-of'
import type { StoredMapping } from '@/prisma/queries/uploads/sample-mappings'
import { frozenNoiseSchema, sharedNotesSchema } from '@/prisma/rows/share-rows'

const text = z.string().nullable()

export const projectAnswer = schemaOf<ProjectSummary>()(
  z
    .object({
      id: z.string(),
      slug: z.string().describe('Its name in addresses.'),
      name: z.string(),
      createdAt: utcIsoSchema,
      runCount: z.number(),
      latestRunAt: utcIsoSchema.nullable(),
      repositoryUrl: text.describe('Where its commits are seen.'),
      candidateRule: z
        .object({ label: z.string(), isNot: z.string() })
        .nullable()
        .describe('New runs whose label says something else than `isNot` are candidates. Null: none.'),
      judgedWindow: z.enum(judgedWindows).describe('What series are judged by.'),
    })
    .meta({ id: 'Project', description: 'What runs, rules and alerts belong to.' }),
)

export const retentionAnswer = schemaOf<Retention>()(
  z
    .object({ keepRawDays: z.number().nullable(), keepRunsDays: z.number().nullable() })
    .meta({ id: 'Retention', description: 'Days until raw files and runs are trashed. Null: never.' }),
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
    .meta({ id: 'Annotation', description: 'Something that happened outside of the runs.' }),
)

export const mappingAnswer = schemaOf<StoredMapping>()(
  z
    .object({
      name: z.string(),
      mapping: columnMappingSchema,
      setBy: text.describe('The account that wrote it last. Null: it is gone, or there are no accounts.'),
      setAt: utcIsoSchema,
    })
    .meta({ id: 'Mapping', description: 'How samples of no known tool are read: which column is what.' }),
)

export const comparisonAnswer = schemaOf<SavedComparison>()(
  z
    .object({
      id: z.string(),
      projectId: z.string(),
      projectSlug: z.string(),
      name: z.string(),
      kind: z.enum(comparisonKinds),
      refs: z.string().describe('`A+B...C`: sides by `...`, the base first; repeats by `+`. Of a matrix: empty.'),
      view: z.string().describe('The query string of its page, without `?`.'),
      notes: z.string().describe('Markdown: how it was measured.'),
      takeaways: z.string().describe('Markdown: what follows from it.'),
      createdAt: utcIsoSchema,
      updatedAt: utcIsoSchema,
    })
    .meta({ id: 'SavedComparison', description: 'A comparison or matrix with what was concluded from it.' }),
)

export const shareAnswer = schemaOf<ShareSummary>()(
  z
    .object({
      id: z.string(),
      projectId: z.string(),
      name: z.string(),
      kind: z.enum(shareKinds),
      runIds: z.array(z.string()).describe('Of a comparison the base is first.'),
      sideSizes: z.array(z.number()).describe('How many of those runs, one after the other, each side has.'),
      view: z.string().describe('The query string of its page, without `?`.'),
      notes: z.string().describe('Markdown.'),
      cellNotes: sharedNotesSchema,
      noise: frozenNoiseSchema.describe('What histories said of the noise of its sides when it was made.'),
      includeRaw: z.boolean(),
      embeddable: z.boolean().describe('Pages of other sites may show it in a frame.'),
      createdAt: utcIsoSchema,
      expiresAt: utcIsoSchema.nullable().describe('Null: never.'),
      revokedAt: utcIsoSchema.nullable(),
      viewCount: z.number(),
      lastViewedAt: utcIsoSchema.nullable(),
    })
    .meta({ id: 'Share', description: 'A link for strangers, without the link.' }),
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
    .meta({ id: 'Badge', description: 'A picture with the newest figure of a series.' }),
)

export const madeBadgeAnswer = badgeAnswer.extend({
  url: z.string(),
  // A click leads nowhere: the project is not public.
  markdown: z.string().describe('The line for a README.'),
})
/** A badge with its address, which cannot be read again later. */
export type MadeBadge = Described<typeof madeBadgeAnswer>
