import type { RunFilter } from '@/lib/history/run-list'

/** Limits of one comparison: sides, runs of one side, and runs of all sides. */
export const maxCompared = 10
export const maxSideRuns = 200
export const maxRuns = 2 * maxSideRuns
/** Longest refs that are saved: with a view they form an address. */
export const longestRefs = 7_000
const longestRef = 420
/** Most runs of a level in a comparison. */
export const maxLevelRuns = 10

/** The sides that show a change of level: the newest 10 runs before it and the first 10 after it. Ids oldest first. */
export function levelSides(
  before: readonly string[],
  after: readonly string[],
): readonly [before: readonly string[], after: readonly string[]] {
  return [before.slice(-maxLevelRuns), after.slice(0, maxLevelRuns)]
}

/** A run as named in an address: by its id, as the newest match, or by its id with all earlier runs that it repeats. */
export type RunRef =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'repeats'; readonly id: string }
  | { readonly kind: 'latest'; readonly filter: Pick<RunFilter, 'scenario' | 'variant' | 'environment' | 'labels'> }

/**
 * `a+b...c`: sides by `...`, the base first, repeats of one side by `+`; a ref is an id, `id@repeats`,
 * `label:value@latest` or `variant@latest`. Each ref once. Null: not a comparison (none, or too many).
 */
export function readSides(refs: string): readonly (readonly string[])[] | null {
  const seen = new Set<string>()
  const once = (ref: string) => ref !== '' && ref.length <= longestRef && !seen.has(ref) && Boolean(seen.add(ref))
  try {
    // A `+` in an address that was encoded as a whole is `%2B`.
    const text = refs.includes('+') ? refs : refs.replaceAll(/%2B/gi, '+')
    const sides = text
      .split('...')
      .map((side) => side.split('+').map(decodeURIComponent).filter(once))
      .filter((side) => side.length > 0)
    const fits = sides.length <= maxCompared && sides.every(({ length }) => length <= maxSideRuns)
    return sides.length >= 1 && fits && seen.size <= maxRuns ? sides : null
  } catch {
    return null
  }
}

const repeatsEnd = '@repeats'

/** The ref of a run with all earlier runs that it repeats: short, however many there are. */
export const repeatsRef = (newestId: string): string => `${newestId}${repeatsEnd}`

const fields = ['scenario', 'variant', 'environment'] as const

/** Parses a ref: `variant:gzip@latest`, `commit:4f2a@latest`, `gzip@latest`, an id, or an id with `@repeats`. */
export function readRef(ref: string): RunRef {
  if (ref.endsWith(repeatsEnd)) return { kind: 'repeats', id: ref.slice(0, -repeatsEnd.length) }
  if (!ref.endsWith('@latest')) return { kind: 'id', id: ref }
  const text = ref.slice(0, -'@latest'.length)
  const at = text.indexOf(':')
  if (at < 1) return { kind: 'latest', filter: { variant: text } }
  const [key, value] = [text.slice(0, at), text.slice(at + 1)]
  const field = fields.find((one) => one === key)
  return { kind: 'latest', filter: field ? { [field]: value } : { labels: { [key]: value } } }
}

/** The sides' refs as written in an address. */
export function writeSides(sides: readonly (string | readonly string[])[]): string {
  return sides.map((side) => [side].flat().map(encodeURIComponent).join('+')).join('...')
}

/** The address of a comparison; the first side is its base. `metricIds` null: the defaults. */
export function compareUrl(
  projectSlug: string,
  sides: readonly (string | readonly string[])[],
  metricIds: readonly string[] | null,
): string {
  const query = metricIds === null ? '' : `m=${metricIds.map(encodeURIComponent).join(',')}`
  return compareHref(projectSlug, sides, query)
}

/** The address of a comparison in a view, which is a query string without `?`. */
export function compareHref(projectSlug: string, sides: readonly (string | readonly string[])[], view: string): string {
  return `/p/${projectSlug}/compare/${writeSides(sides)}${view === '' ? '' : `?${view}`}`
}

/** Splits a flat list into sides of these sizes; without sizes each item is its own side. */
export function splitSides<T>(items: readonly T[], sizes: readonly number[]): readonly (readonly T[])[] {
  if (sizes.length === 0) return items.map((item) => [item])
  let from = 0
  return sizes.map((size) => items.slice(from, (from += size)))
}

/** What the page of what a difference stands with shows. */
export interface WhyView {
  /** Position of the side that is compared with the base. */
  readonly side: number
  /** A percentile of the base: the latency above which requests are slow. Null: the default. */
  readonly at: string | null
}

/** The address of what a difference stands with. */
export function whyHref(
  projectSlug: string,
  sides: readonly (string | readonly string[])[],
  view: WhyView = { side: 1, at: null },
): string {
  return `${compareHref(projectSlug, sides, '')}/why${whyQuery(view)}`
}

/** The same for the readers of a share. */
export const sharedWhyHref = (token: string, view: WhyView): string => `/s/${token}/why${whyQuery(view)}`

function whyQuery({ side, at }: WhyView): string {
  const query = new URLSearchParams({ ...(side === 1 ? {} : { side: String(side) }), ...(at === null ? {} : { at }) })
  return query.size === 0 ? '' : `?${query.toString()}`
}
