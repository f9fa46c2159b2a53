import type {
  ColumnMapping,
  ColumnRef,
  LatencyUnit,
  MappingProposal,
  NamedMapping,
  ProposedMapping,
  TimeFormat,
} from '@/lib/run/column-mapping'
import { mappedFields, type MappedField } from '@/lib/run/mapped-fields'

/** A person's description of a table of samples. */
export interface MappingForm {
  /** Content of each column, in their order; null: it is not read. */
  readonly fields: readonly (MappedField | null)[]
  /** Null: not chosen yet. */
  readonly unit: LatencyUnit | null
  readonly timeFormat: TimeFormat
  readonly timeAt: 'start' | 'end'
  /** Statuses that are not failures, as typed. */
  readonly goodFrom: string
  readonly goodTo: string
}

/** A mapping for the form. Leaves out columns that the file lacks. */
export function mappingForm(mapping: ProposedMapping, columns: readonly string[]): MappingForm {
  const fieldOf = new Map(
    mappedFields.flatMap((field) => {
      const own = mapping[field]
      return own === null ? [] : [[placeOf(own.column, columns), field] as const]
    }),
  )
  const { from, to } = mapping.status?.good ?? { from: 100, to: 399 }
  return {
    fields: columns.map((_, at) => fieldOf.get(at) ?? null),
    unit: mapping.latency?.unit ?? null,
    timeFormat: mapping.time?.format ?? 'ms',
    timeAt: mapping.time?.at ?? 'start',
    goodFrom: String(from),
    goodTo: String(to),
  }
}

const placeOf = (column: ColumnRef, columns: readonly string[]) =>
  typeof column === 'number' ? column - 1 : columns.indexOf(column)

/** A mapping and its name while a person writes them. */
export interface MappingDraft {
  readonly form: MappingForm
  readonly name: string
}

/** What a person does to it. */
export type MappingEdit =
  | { readonly kind: 'column'; readonly at: number; readonly field: MappedField | null }
  | { readonly kind: 'meaning'; readonly change: Partial<MappingForm> }
  | { readonly kind: 'name'; readonly name: string }
  /** `from`: the name of a stored mapping; any other: what the columns suggest. */
  | { readonly kind: 'begin'; readonly from: string | null }

/** The file and the mappings that a person begins with. */
export interface MappingStart {
  readonly proposal: MappingProposal
  /** The project's mappings. */
  readonly kept: readonly NamedMapping[]
  readonly fileName: string
}

/** The draft after an edit. */
export function editMapping(start: MappingStart, draft: MappingDraft, edit: MappingEdit): MappingDraft {
  const { form } = draft
  switch (edit.kind) {
    case 'column':
      return { ...draft, form: withField(form, edit.at, edit.field) }
    case 'meaning':
      return { ...draft, form: { ...form, ...edit.change } }
    case 'name':
      return { ...draft, name: edit.name }
    case 'begin': {
      const { proposal, kept, fileName } = start
      const found = kept.find(({ name }) => name === edit.from)
      const begun = mappingForm(found?.mapping ?? proposal.mapping, proposal.columns)
      return { form: begun, name: found?.name ?? mappingName(fileName) }
    }
  }
}

/** A column has one content, and no other column has the same. */
export function withField(form: MappingForm, at: number, field: MappedField | null): MappingForm {
  const fields = form.fields.map((one, place) => (place === at ? field : one === field ? null : one))
  return { ...form, fields }
}

/** The mapping in the form, or a sentence about what is missing. */
export function mappingOf(form: MappingForm, proposal: MappingProposal): ColumnMapping | string {
  const { kind, heading, columns } = proposal
  const columnOf = (field: MappedField): { column: ColumnRef } | null => {
    const at = form.fields.indexOf(field)
    return at < 0 ? null : { column: heading ? (columns[at] ?? at + 1) : at + 1 }
  }
  const [latency, time, status] = [columnOf('latency'), columnOf('time'), columnOf('status')]
  if (latency === null) return 'Say which column is the latency.'
  if (form.unit === null) return 'Choose the unit of the latency: nothing in the file states it.'
  const good = { from: Number(form.goodFrom), to: Number(form.goodTo) }
  return {
    kind,
    separator: proposal.mapping.separator,
    heading,
    latency: { ...latency, unit: form.unit },
    time: time && { ...time, format: form.timeFormat, at: form.timeAt },
    status: status && { ...status, good },
    error: columnOf('error'),
    bytes: columnOf('bytes'),
    label: columnOf('label'),
  }
}

/** A name for the mapping of a file: `orders-2026-05.csv` is read by `orders-2026-05`. */
export function mappingName(fileName: string): string {
  const stem = fileName
    .toLowerCase()
    .replace(/\.[a-z0-9.]{1,8}$/, '')
    .replace(/[^a-z0-9._-]{1,255}/g, '-')
    .replace(/^[^a-z0-9]{1,255}/, '')
    .slice(0, 64)
  return stem === '' ? 'samples' : stem
}
