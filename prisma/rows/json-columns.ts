import { z } from 'zod'
import { stringsSchema } from '../../lib/run/imported-run-schema'
import { namedMappingSchema, type NamedMapping } from '../../lib/run/column-mapping'
import type { CellNote, ImportProblem, UtcIso } from '../../lib/run/run'
import { storableJson } from '../../lib/text'
import type { Prisma } from '../generated/client'

// What the JSON columns hold beside runs (lib/run/imported-run-schema.ts).

const text = z.string().nullable()
const number = z.number().nullable()

export const problemsSchema: z.ZodType<readonly ImportProblem[]> = z.array(
  z.object({
    code: z.string(),
    severity: z.enum(['error', 'warning', 'info']),
    line: number,
    lastLine: number,
    message: z.string(),
    hint: text,
    file: z.string().optional(),
  }),
)

export const cellNotesSchema: z.ZodType<readonly CellNote[]> = z.array(
  z.object({ scenario: z.string(), variant: text, environment: text, text: z.string(), line: z.number() }),
)

/** Names, labels and a start that came with an upload for all its runs. Absent: as the file proposes. */
export interface GivenNames {
  readonly scenario?: string | undefined
  readonly variant?: string | null | undefined
  readonly environment?: string | null | undefined
  /** Of the runs whose text names no time. */
  readonly startedAt?: UtcIso | undefined
  /** They are judged against their series and never join it; false: they join it whatever the project's rule says. */
  readonly candidate?: boolean | undefined
  /** The mapping by which its samples were read, as it was then. */
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

/** A list or an object as a JSON column takes it. Throws InvalidInputError for what cannot be stored. */
export function jsonColumn(value: object): Prisma.InputJsonObject | Prisma.InputJsonArray {
  const json = storableJson(value)
  if (typeof json !== 'object' || json === null) throw new TypeError('A JSON column holds a list or an object.')
  return json
}
