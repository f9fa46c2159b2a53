import { nameFields, type FieldedRun, type NameField } from './matrix-field'
import { quantitiesIn, readQuantity, type Dimension, type Quantity } from './quantity'
import type { Load } from '../run/run'

/** The fields of a run needed to place it. */
export type SweptRun = FieldedRun & { readonly load: Load }

/** Source of a sweep's number: the load, the names of runs, or a label. */
export type SweepField = NameField | 'rate' | 'connections' | `label:${string}`

/** A number that was varied from run to run. */
export interface SweepAxis {
  readonly field: SweepField
  readonly dimension: Dimension
  /** The unit of values, as written; empty: none. */
  readonly unit: string
  /** What is varied: `payload`, `target rate`, or the words around the number in names. */
  readonly title: string
  /** The run's number in `unit`; null: it has none. */
  readonly valueOf: (run: SweptRun) => number | null
  /** As read, to be removed from names. */
  readonly quantityOf: (run: SweptRun) => Quantity | null
}

/** Labels whose values are names, not measures. */
export const namingKeys =
  /^(?:(?:.*[-_. ])?(?:id|commit|sha|build|version|date|time|timestamp|run|port|branch)|result|url)$/i

/** The field as written in an address; null: not a field. */
export function readSweepField(text: string): SweepField | null {
  if (text === 'scenario' || text === 'variant' || text === 'environment') return text
  if (text === 'rate' || text === 'connections') return text
  return text.startsWith('label:') && text.length > 'label:'.length ? `label:${text.slice('label:'.length)}` : null
}

/** All axes over which these runs have at least two values: labels first, then the load, then numbers in names. */
export function axesOf(runs: readonly SweptRun[]): readonly SweepAxis[] {
  const keys = [...new Set(runs.flatMap((run) => Object.keys(run.labels)))].filter((key) => !namingKeys.test(key))
  const labels = keys.map((key) =>
    axis(runs, `label:${key}`, key, (run) =>
      readQuantity(Object.hasOwn(run.labels, key) ? (run.labels[key] ?? '') : ''),
    ),
  )
  const rate = axis(runs, 'rate', 'target rate', ({ load }) =>
    load.kind === 'open' && load.ratePerSecond !== null ? counted(load.ratePerSecond, '/s', 'rate') : null,
  )
  const connections = axis(runs, 'connections', 'connections', ({ load }) =>
    load.kind === 'closed' && load.connections !== null ? counted(load.connections, '', 'count') : null,
  )
  return [...labels, rate, connections, ...nameFields.map((field) => nameAxis(runs, field))].flatMap((one) => one ?? [])
}

const counted = (value: number, unit: string, dimension: Dimension): Quantity => ({
  value,
  unit,
  dimension,
  base: value,
})

/** Null with fewer than two values. Numbers of a different dimension than most are left out. */
function axis(
  runs: readonly SweptRun[],
  field: SweepField,
  title: string,
  read: (run: SweptRun) => Quantity | null,
): SweepAxis | null {
  const found = runs.flatMap((run) => read(run) ?? [])
  const dimension = mostFrequent(found.map((quantity) => quantity.dimension))
  const own = found.filter((quantity) => quantity.dimension === dimension)
  if (dimension === null || new Set(own.map(({ base }) => base)).size < 2) return null
  const unit = mostFrequent(own.filter(({ value }) => value !== 0).map((quantity) => quantity.unit)) ?? ''
  const model = own.find((quantity) => quantity.unit === unit && quantity.value !== 0)
  const factor = model === undefined ? 1 : model.value / model.base
  const quantityOf = (run: SweptRun) => {
    const quantity = read(run)
    return quantity?.dimension === dimension ? quantity : null
  }
  const valueOf = (run: SweptRun) => {
    const quantity = quantityOf(run)
    if (quantity === null) return null
    return quantity.unit === unit ? quantity.value : Number((quantity.base * factor).toPrecision(12))
  }
  return { field, dimension, unit, title, quantityOf, valueOf }
}

/** The number in which names of this field differ: of several in a name, the one with the most values. */
function nameAxis(runs: readonly SweptRun[], field: NameField): SweepAxis | null {
  const names = [...new Set(runs.flatMap((run) => run[field] ?? []))]
  const valuesOf = new Map<string, Set<number>>()
  for (const name of names)
    for (const placed of quantitiesIn(name)) {
      const template = templateOf(name, placed)
      valuesOf.set(template, (valuesOf.get(template) ?? new Set()).add(placed.base))
    }
  const sizeOf = (name: string, placed: { from: number; to: number }) =>
    valuesOf.get(templateOf(name, placed))?.size ?? 0
  const chosen = new Map<string, Quantity>()
  for (const name of names) {
    const [best] = [...quantitiesIn(name)].sort((a, b) => sizeOf(name, b) - sizeOf(name, a))
    if (best !== undefined) chosen.set(name, best)
  }
  const templates = [...valuesOf].filter(([, values]) => values.size > 1).map(([template]) => template)
  if (templates.length === 0) return null
  const [template] = templates
  const title = template === undefined || templates.length > 1 ? '' : titleOf(template)
  const found = axis(runs, field, title, (run) => chosen.get(run[field] ?? '') ?? null)
  return found === null || title !== '' ? found : { ...found, title: `${numberWords[found.dimension]} in the ${field}` }
}

const numberWords: Readonly<Record<Dimension, string>> = { time: 'time', size: 'size', rate: 'rate', count: 'number' }

/** Without a gap at either end: `latency …` is the latency. */
const titleOf = (template: string): string => template.replace(/^…/, '').replace(/…$/, '').trim()

const templateOf = (name: string, { from, to }: { readonly from: number; readonly to: number }): string =>
  `${name.slice(0, from)}…${name.slice(to)}`

function mostFrequent<T>(values: readonly T[]): T | null {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}

/** What is varied, and its unit: `payload, kb`, `target rate, requests/s`, `connections`. */
export function axisName({ title, unit }: SweepAxis): string {
  return unit === '' ? title : `${title}, ${unit === '/s' ? 'requests/s' : unit}`
}
