import type { RunEdits } from '@/lib/run/stored'
import { memberOf, textOf } from '../ui/call-api'
import type { PreviewRun } from './prepare-preview'

/** What a card's form holds. Texts as typed: empty means none. */
export interface RunForm {
  readonly include: boolean
  readonly scenario: string
  readonly variant: string
  readonly environment: string
  /** As an input shows it, UTC: `2022-03-04T09:41`; empty: unknown. */
  readonly startedAt: string
  readonly labels: readonly (readonly [key: string, value: string])[]
}

/** `2022-03-04T09:41:05.000Z` as a date-time input takes it (seconds when there are some). */
export function inputTime(at: string | null): string {
  if (at === null) return ''
  return at.endsWith(':00.000Z') ? at.slice(0, 16) : at.slice(0, 19)
}

/** A card's form as proposed. */
export function formOf(run: PreviewRun): RunForm {
  const { scenario, variant, environment, labels } = run
  return { include: true, scenario, variant, environment, startedAt: inputTime(run.startedAt), labels }
}

function utcOf(input: string): string | null {
  const at = input === '' ? Number.NaN : Date.parse(`${input}Z`)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

function sameLabels(a: RunForm['labels'], b: RunForm['labels']): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** What to send for a card: only what differs from the proposal, so that all else stays as found. */
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

/** Where to go once runs are saved: to the only one, to the matrix of several cells, else to the list of the upload's runs. */
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
