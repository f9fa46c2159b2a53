import type { Tool } from '../run/tools'

/** A field used for the rows or columns of a matrix: one of a run's names, its tool, or a label's key. */
export type MatrixField = NameField | 'tool' | `label:${string}`
export type NameField = 'scenario' | 'variant' | 'environment'
export const nameFields: readonly NameField[] = ['scenario', 'variant', 'environment']

/** The fields read from a run. */
export interface FieldedRun {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
  readonly tool: Tool
  readonly labels: Readonly<Record<string, string>>
}

/** The field as written in an address (`variant`, `label:payload`); null: not a field. */
export function readField(text: string): MatrixField | null {
  if (text === 'scenario' || text === 'variant' || text === 'environment' || text === 'tool') return text
  return text.startsWith('label:') && text.length > 'label:'.length ? `label:${text.slice('label:'.length)}` : null
}

/** The run's value; null: it has none. */
export function valueOf(run: FieldedRun, field: MatrixField): string | null {
  const key = labelKey(field)
  if (key !== null) return Object.hasOwn(run.labels, key) ? (run.labels[key] ?? null) : null
  return field === 'scenario' || field === 'variant' || field === 'environment' || field === 'tool' ? run[field] : null
}

/** `payload` for `label:payload`; null for other fields. */
export function labelKey(field: MatrixField): string | null {
  return field.startsWith('label:') ? field.slice('label:'.length) : null
}

/** `variants`, `label payload`: for choices and headings. */
export function fieldWords(field: MatrixField): string {
  const key = labelKey(field)
  return key === null ? `${field}s` : `label ${key}`
}

/** `Scenario`, `payload`: heading of a column of values. */
export function fieldHead(field: MatrixField): string {
  return labelKey(field) ?? field.charAt(0).toUpperCase() + field.slice(1)
}

/**
 * Fields that a matrix of these runs can be laid out by: always names and tool, then labels by how many runs have one.
 */
export function fieldsOf(runs: readonly FieldedRun[]): readonly MatrixField[] {
  const counts = new Map<string, { runs: number; values: Set<string> }>()
  for (const run of runs) {
    for (const [key, value] of Object.entries(run.labels)) {
      const count = counts.get(key) ?? { runs: 0, values: new Set() }
      counts.set(key, { runs: count.runs + 1, values: count.values.add(value) })
    }
  }
  const labels = [...counts]
    // A label that is the same everywhere distinguishes nothing, so it comes last.
    .sort(([, a], [, b]) => Number(b.values.size > 1) - Number(a.values.size > 1) || b.runs - a.runs)
    .map(([key]): MatrixField => `label:${key}`)
  return [...nameFields, 'tool', ...labels]
}
