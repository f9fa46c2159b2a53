import * as z from 'zod'
import { loadSchema, stringsSchema } from '../run/imported-run-schema'
import type { Load, Measure, UtcIso } from '../run/run'

/**
 * What our exported pages state of the run whose output is below, in a comment that renderers hide. It overrides what
 * headings, commands and remarks around the output would propose.
 */
export interface RunMetadata {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
  readonly environmentAttributes: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  /** Null: unknown. */
  readonly startedAt: UtcIso | null
  /** Null: unknown, even if there are commands on the page. */
  readonly command: string | null
  readonly url: string | null
  readonly method: string | null
  readonly load: Load
  /** Those missing from the output: planned durations, stated figures. */
  readonly measures: readonly Omit<Measure, 'line'>[]
  /** The author's sentences about this run. */
  readonly notes: readonly string[]
}

/** Why a cell of the matrix is empty, in a hidden comment of our exported pages. */
export interface CellMetadata {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
  readonly text: string
}

const name = z.string().nullable()

const runSchema: z.ZodType<RunMetadata> = z.object({
  scenario: z.string(),
  variant: name,
  environment: name,
  environmentAttributes: stringsSchema,
  labels: stringsSchema,
  startedAt: z.iso.datetime().nullable(),
  command: name,
  url: name,
  method: name,
  load: loadSchema,
  measures: z.array(z.object({ name: z.string(), value: z.number(), unit: name })).max(1_000),
  notes: z.array(z.string()).max(1_000),
})

const cellSchema: z.ZodType<CellMetadata> = z.object({
  scenario: z.string(),
  variant: name,
  environment: name,
  text: z.string(),
})

/**
 * JSON on one line that no text carrier, mask or renderer changes: the only quotes, blanks and marks are its own
 * syntax.
 */
export function hardJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/\\(["\\])/g, (_all, mark: string) => (mark === '"' ? '\\u0022' : '\\u005c'))
    .replace(/[^ -~\p{L}\p{N}\p{P}\p{S}]|[<>`\ufffd]/gu, (character) =>
      character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    )
    .replace(/-(?=-)/g, '\\u002d')
}

/** The comment above a run's output. */
export const writeRunMetadata = (metadata: RunMetadata): string => `<!-- tailboard-run ${hardJson(metadata)} -->`

/** The comment in place of an empty cell. */
export const writeCellMetadata = (metadata: CellMetadata): string => `<!-- tailboard-cell ${hardJson(metadata)} -->`

const metadataLine = /^\s*<!-- tailboard-(run|cell) (\{.*\}) -->\s*$/

/** Whether a line is one of these comments, whole or broken. */
export const isMetadataLine = (text: string): boolean => /^\s*<!-- tailboard-(?:run|cell) \{/.test(text)

/** Parses such a comment; null if nothing in it can be understood. */
export function readMetadataLine(
  text: string,
):
  | { readonly kind: 'run'; readonly metadata: RunMetadata }
  | { readonly kind: 'cell'; readonly metadata: CellMetadata }
  | null {
  const [, kind, json = ''] = metadataLine.exec(text) ?? []
  if (kind === undefined) return null
  const value = parseJson(json)
  if (kind === 'run') {
    const read = runSchema.safeParse(value)
    return read.success ? { kind, metadata: read.data } : null
  }
  const read = cellSchema.safeParse(value)
  return read.success ? { kind: 'cell', metadata: read.data } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An edited comment: reported as a problem of the file.
    return null
  }
}
