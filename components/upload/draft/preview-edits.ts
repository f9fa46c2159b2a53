import { plural } from '@/lib/format'
import type { KnownNames } from '@/lib/history/run-list'
import type { RunEdits } from '@/lib/history/stored-runs'
import { memberOf, textOf } from '../../ui/actions/call-api'
import type { ComboboxOption } from '../../forms/combobox'
import type { PreviewRun } from './prepare-preview'

/** The fields of a card's form. Texts as typed: empty means none. */
export interface RunForm {
  readonly include: boolean
  readonly scenario: string
  readonly variant: string
  readonly environment: string
  /** As in an input, UTC: `2022-03-04T09:41`; empty: unknown. */
  readonly startedAt: string
  readonly labels: readonly (readonly [key: string, value: string])[]
}

/** A name that runs can be found by. */
export type NameField = 'scenario' | 'variant' | 'environment'

export const nameFields: readonly { readonly key: NameField; readonly label: string }[] = [
  { key: 'scenario', label: 'Scenario' },
  { key: 'variant', label: 'Variant' },
  { key: 'environment', label: 'Environment' },
]

/** Options for each name. */
export type NameOptions = Readonly<Record<NameField, readonly ComboboxOption[]>>

/** The names that a project knows, with their runs, then those only in this document. Pure. */
export function nameOptions(known: KnownNames, runs: readonly Pick<PreviewRun, NameField>[]): NameOptions {
  const of = (names: KnownNames['scenarios'], field: NameField) => {
    const found = new Set(runs.map((run) => run[field]).filter((name) => name !== ''))
    for (const { name } of names) found.delete(name)
    return [
      ...names.map(({ name, runCount }) => ({
        value: name,
        note: known.isPart ? `${runCount}+ runs` : plural(runCount, 'run'),
      })),
      ...[...found].map((value) => ({ value, note: 'from the document' })),
    ]
  }
  return {
    scenario: of(known.scenarios, 'scenario'),
    variant: of(known.variants, 'variant'),
    environment: of(known.environments, 'environment'),
  }
}

/** Where a name comes from, in the form's current state: `heading, line 5`. */
export function sourceOf(run: PreviewRun, form: RunForm, field: NameField): string {
  if (form[field] !== run[field]) return 'by you'
  return run.sources[field] ?? (run[field] === '' ? 'not in the text' : '')
}

/** Labels with the same value in all runs, in the order of the first; and the keys of those that differ. */
export function sharedLabels(forms: readonly RunForm[]): {
  readonly same: RunForm['labels']
  readonly differing: readonly string[]
} {
  const has = (form: RunForm, key: string, value: string) =>
    form.labels.some(([other, own]) => other === key && own === value)
  const same = (forms[0]?.labels ?? []).filter(
    ([key, value]) => key !== '' && forms.every((form) => has(form, key, value)),
  )
  const keys = new Set(forms.flatMap(({ labels }) => labels.map(([key]) => key)))
  const differing = [...keys].filter((key) => key !== '' && !same.some(([other]) => other === key))
  return { same, differing }
}

/** Sets a label, replacing the one with the same key; an empty value removes it. */
export function withLabel(form: RunForm, key: string, value: string): RunForm {
  const isThere = form.labels.some(([other]) => other === key)
  if (value === '') return { ...form, labels: form.labels.filter(([other]) => other !== key) }
  const labels = isThere
    ? form.labels.map((label) => (label[0] === key ? ([key, value] as const) : label))
    : [...form.labels, [key, value] as const]
  return { ...form, labels }
}

/** `2022-03-04T09:41:05.000Z` for a date-time input (with seconds if it has some). */
export function inputTime(at: string | null): string {
  if (at === null) return ''
  return at.endsWith(':00.000Z') ? at.slice(0, 16) : at.slice(0, 19)
}

/** A card's form as proposed. */
export function formOf(run: PreviewRun): RunForm {
  const { scenario, variant, environment, labels } = run
  return { include: true, scenario, variant, environment, startedAt: inputTime(run.startedAt), labels }
}

/** What a person does to the forms: a change of one, or the same to all. */
export type FormsEdit =
  | { readonly kind: 'one'; readonly index: number; readonly change: Partial<RunForm> }
  | { readonly kind: 'all'; set(form: RunForm): RunForm }

/** The forms after an edit. */
export const editForms = (forms: readonly RunForm[], edit: FormsEdit): readonly RunForm[] =>
  edit.kind === 'all'
    ? forms.map((form) => edit.set(form))
    : forms.map((form, at) => (at === edit.index ? { ...form, ...edit.change } : form))

function utcOf(input: string): string | null {
  const at = input === '' ? Number.NaN : Date.parse(`${input}Z`)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

function sameLabels(a: RunForm['labels'], b: RunForm['labels']): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** What to send for a card: only differences from the proposal, so that all else stays as found. */
export function editsOf(run: PreviewRun, form: RunForm): RunEdits {
  const proposed = formOf(run)
  const labels = form.labels
    .map(([key, value]): [string, string] => [key.trim(), value.trim()])
    .filter(([key]) => key !== '')
  return {
    include: form.include,
    ...(form.scenario === proposed.scenario ? {} : { scenario: form.scenario.trim() }),
    ...(form.variant === proposed.variant ? {} : { variant: form.variant.trim() || null }),
    ...(form.environment === proposed.environment ? {} : { environment: form.environment.trim() || null }),
    ...(form.startedAt === proposed.startedAt ? {} : { startedAt: utcOf(form.startedAt) }),
    ...(sameLabels(form.labels, proposed.labels) ? {} : { labels: Object.fromEntries(labels) }),
  }
}

/**
 * The page to open once runs are saved: the only run, the matrix of several cells, else the list of the upload's runs.
 */
export function pageAfterSave(
  projectSlug: string,
  uploadId: string,
  runIds: readonly string[],
  forms: readonly RunForm[],
): string {
  const [only] = runIds
  if (only !== undefined && runIds.length === 1) return `/p/${projectSlug}/runs/${only}`
  const cells = forms
    .filter(({ include }) => include)
    .map(({ scenario, variant, environment }) => JSON.stringify([scenario.trim(), variant.trim(), environment.trim()]))
  const page = new Set(cells).size > 1 ? 'matrix' : 'runs'
  return `/p/${projectSlug}/${page}?${new URLSearchParams({ upload: uploadId }).toString()}`
}

/** The ids of the runs in the response to a saved draft; empty when the response is not one. */
export function savedRunIds(answer: unknown): readonly string[] {
  const runs = memberOf(answer, 'runs')
  if (!Array.isArray(runs)) return []
  return runs.flatMap((run: unknown) => textOf(run, 'id') ?? [])
}
