import { z } from 'zod'
import { stringsSchema } from '../../lib/run/imported-run-schema'
import { namedMappingSchema, type NamedMapping } from '../../lib/run/column-mapping'
import { schemaOf } from '../../lib/schema-of'
import type { CellNote, ImportProblem, UtcIso } from '../../lib/run/run'
import { storableJson } from '../../lib/text'
import type { Prisma } from '../generated/client'

// The contents of the JSON columns other than runs (lib/run/imported-run-schema.ts).

const text = z.string().nullable()
const number = z.number().nullable()

/** Notes on a file that belong to no run. */
export const problemsSchema: z.ZodType<readonly ImportProblem[]> = z.array(
  schemaOf<ImportProblem>()(
    z
      .object({
        code: z.string(),
        severity: z
          .enum(['error', 'warning', 'info'])
          .describe('error: something was lost or refused. info: deliberately left out.'),
        line: number,
        lastLine: number,
        message: z.string(),
        hint: text,
        file: z.string().describe('The entry of an archive.').optional(),
      })
      .meta({ id: 'ImportProblem', description: 'A problem found in a file that belongs to no run.' }),
  ),
)

/** Why cells of a matrix are empty, according to a document. */
export const cellNotesSchema: z.ZodType<readonly CellNote[]> = z.array(
  schemaOf<CellNote>()(
    z
      .object({ scenario: z.string(), variant: text, environment: text, text: z.string(), line: z.number() })
      .meta({ id: 'CellNote', description: 'Why a cell of a matrix is empty, as stated in the document.' }),
  ),
)

/** Names, labels and a start given with an upload for all its runs. Absent: as the file proposes. */
export interface GivenNames {
  readonly scenario?: string | undefined
  readonly variant?: string | null | undefined
  readonly environment?: string | null | undefined
  /** Start of the runs whose text gives none. */
  readonly startedAt?: UtcIso | undefined
  /** They are judged against their series and never join it; false: they join it whatever the project's rule is. */
  readonly candidate?: boolean | undefined
  /** The mapping by which its samples were read, as it was at the time. */
  readonly mapping?: NamedMapping | undefined
  readonly labels: Readonly<Record<string, string>>
}

export const givenSchema: z.ZodType<GivenNames> = z.object({
  scenario: z.string().optional(),
  variant: z.string().nullable().optional(),
  environment: z.string().nullable().optional(),
  startedAt: z.string().optional(),
  candidate: z.boolean().optional(),
  mapping: namedMappingSchema.optional(),
  labels: stringsSchema,
})

/** A list or an object for a JSON column. Throws InvalidInputError for what cannot be stored. */
export function jsonColumn(value: object): Prisma.InputJsonObject | Prisma.InputJsonArray {
  const json = storableJson(value)
  if (typeof json !== 'object' || json === null) throw new TypeError('A JSON column holds a list or an object.')
  return json
}
