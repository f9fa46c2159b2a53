import type { UtcIso } from '../run/run'

/** What a run records of the machine that it ran on. */
export interface RecordedAttributes {
  readonly seriesId: string
  readonly at: UtcIso
  readonly attributes: Readonly<Record<string, string>>
}

/** A property of an environment, as its newest run records it. */
export interface Attribute {
  readonly key: string
  readonly value: string
  /** When it last changed, and what it was; null: it never did. */
  readonly change: { readonly at: UtcIso; readonly from: string } | null
}

/** Labels that describe a machine, whatever the code: `kernel`, `cpu`, `instance-type`. */
const ofMachine =
  /^(?:arch(?:itecture)?|clock|clocksource|cpus?|cores?|governor|host|hostname|instance(?:-type)?|kernel|machine|memory|ram|node(?:js)?|os|region|runtime|steal|virtualization|zone)$/i

/** Of these labels, those that describe a machine. */
export const machineLabels = (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => ofMachine.test(key)))

/**
 * The newest value of each attribute, and its last change: within one series, as two series may state it differently;
 * where several saw the same change, the first of them. `runs`: in any order. By key.
 */
export function attributesOf(runs: readonly RecordedAttributes[]): readonly Attribute[] {
  const inTime = runs.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const newest = new Map<string, string>()
  const before = new Map<string, string>()
  const changes = new Map<string, { readonly at: UtcIso; readonly from: string; readonly to: string }>()
  for (const { seriesId, at, attributes } of inTime)
    for (const [key, value] of Object.entries(attributes)) {
      const own = `${seriesId} ${key}`
      const from = before.get(own)
      const known = changes.get(key)
      const isKnown = known !== undefined && known.from === from && known.to === value
      if (from !== undefined && from !== value && !isKnown) changes.set(key, { at, from, to: value })
      before.set(own, value)
      newest.set(key, value)
    }
  return [...newest]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]): Attribute => {
      const change = changes.get(key)
      return { key, value, change: change?.to === value ? { at: change.at, from: change.from } : null }
    })
}
