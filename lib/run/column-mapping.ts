import * as z from 'zod'
import { mappedFields, type MappedField } from './mapped-fields'

// How to read a table of a user's own samples: which column is what, and in which unit. Stored per project by name.

const latencyUnits = ['ns', 'us', 'ms', 's'] as const
const timeFormats = ['ns', 'us', 'ms', 's', 'iso'] as const

/** A column by its name, or by its number, counted from 1. JSON has names only. */
const columnRef = z.union([z.string().min(1).max(200), z.int().min(1).max(64)])
const plainColumn = z.strictObject({ column: columnRef }).nullable().default(null)

/** Statuses that are not failures, both ends included. Others, and an empty one, are. */
const defaultGood = { from: 100, to: 399 }

/** A mapping of columns. Fields that are absent or null have no column. */
export const columnMappingSchema = z
  .strictObject({
    kind: z.enum(['csv', 'ndjson', 'json']),
    /** CSV only. */
    separator: z.enum([',', ';', '\t', '|']).default(','),
    /** The first row of CSV holds the names. */
    heading: z.boolean().default(true),
    latency: z.strictObject({ column: columnRef, unit: z.enum(latencyUnits) }),
    /** ns, us, ms, s: since 1970, or since an unnamed start. at: whether the request began or ended then. */
    time: z
      .strictObject({ column: columnRef, format: z.enum(timeFormats), at: z.enum(['start', 'end']).default('start') })
      .nullable()
      .default(null),
    status: z
      .strictObject({
        column: columnRef,
        good: z
          .strictObject({ from: z.int().min(0).max(65_535), to: z.int().min(0).max(65_535) })
          .refine(({ from, to }) => from <= to, 'from is above to')
          .default(defaultGood),
      })
      .nullable()
      .default(null),
    /** A text in it is why the request failed; empty: it did not. */
    error: plainColumn,
    /** Received bytes. */
    bytes: plainColumn,
    /** What was requested: one target per label. */
    label: plainColumn,
  })
  .superRefine((mapping, context) => {
    const needsNumbers = mapping.kind === 'csv' && !mapping.heading
    for (const { field, column } of columnsOf(mapping)) {
      if (mapping.kind !== 'csv' && typeof column === 'number')
        context.addIssue({ code: 'custom', path: [field, 'column'], message: 'JSON has names, not column numbers' })
      if (needsNumbers && typeof column === 'string')
        context.addIssue({
          code: 'custom',
          path: [field, 'column'],
          message: 'without a heading, a column is its number, counted from 1',
        })
    }
  })

export type ColumnMapping = z.infer<typeof columnMappingSchema>
export type ColumnRef = z.infer<typeof columnRef>
export type LatencyUnit = (typeof latencyUnits)[number]
export type TimeFormat = (typeof timeFormats)[number]

/** A mapping with the name it is stored under. */
export const namedMappingSchema = z.strictObject({ name: z.string(), mapping: columnMappingSchema })
export type NamedMapping = z.infer<typeof namedMappingSchema>

/** The columns that a mapping names, in order of the fields. */
export function columnsOf(
  mapping: Pick<ColumnMapping, MappedField>,
): readonly { readonly field: MappedField; readonly column: ColumnRef }[] {
  return mappedFields.flatMap((field) => {
    const own = mapping[field]
    return own === null ? [] : [{ field, column: own.column }]
  })
}

/** A mapping suggested by a file's first rows. Null: no column fits; `unit` null: no name states it. */
export type ProposedMapping = Omit<ColumnMapping, 'latency'> & {
  readonly latency: { readonly column: ColumnRef; readonly unit: LatencyUnit | null } | null
}

/** How a file that no importer knows may be read. */
export interface MappingProposal {
  readonly kind: ColumnMapping['kind']
  readonly heading: boolean
  /** Their names, or numbers without a heading. */
  readonly columns: readonly string[]
  /** The first rows, unchanged. */
  readonly rows: readonly (readonly string[])[]
  readonly mapping: ProposedMapping
  /** What a person has to decide, in words. */
  readonly unsure: readonly string[]
}

const unitWords: Readonly<Record<LatencyUnit, string>> = { ns: 'ns', us: 'µs', ms: 'ms', s: 's' }

/** A column in words: `dur`, or column 3. */
const columnWords = (column: ColumnRef) => (typeof column === 'number' ? `column ${column}` : `column "${column}"`)

/** A mapping in words: `latency: column "dur", µs; time: column "ts", epoch ms, when the request began`. */
export function mappingWords({ latency, time, status, error, bytes, label }: ColumnMapping): string {
  const parts = [`latency: ${columnWords(latency.column)}, ${unitWords[latency.unit]}`]
  if (time !== null) {
    const format = time.format === 'iso' ? 'ISO 8601' : `epoch ${unitWords[time.format]}`
    parts.push(
      `time: ${columnWords(time.column)}, ${format}, when the request ${time.at === 'start' ? 'began' : 'ended'}`,
    )
  }
  if (status !== null) {
    const { from, to } = status.good
    const failed = from === to ? `failed unless ${from}` : `failed outside ${from}–${to} or when empty`
    parts.push(`status: ${columnWords(status.column)}, ${failed}`)
  }
  if (error !== null) parts.push(`error: ${columnWords(error.column)}, failed with a text in it`)
  if (bytes !== null) parts.push(`bytes received: ${columnWords(bytes.column)}`)
  if (label !== null) parts.push(`label: ${columnWords(label.column)}`)
  return parts.join('; ')
}
