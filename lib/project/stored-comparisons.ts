import type { UtcIso } from '../run/run'

export const comparisonKinds = ['runs', 'matrix'] as const

export type ComparisonKind = (typeof comparisonKinds)[number]

/** A saved comparison with its conclusions. */
export interface SavedComparison {
  readonly id: string
  readonly projectId: string
  readonly projectSlug: string
  readonly name: string
  /** runs: a comparison of `refs`; matrix: everything that matches `view`. */
  readonly kind: ComparisonKind
  /** As in the address of a comparison: `a+b...c` (sides by `...`, the base first; repeats by `+`). Matrix: empty. */
  readonly refs: string
  /** The query string of the page, without `?`: metrics, scales, SLO, cost inputs (`cost.…`), axes. */
  readonly view: string
  /** Markdown: how it was measured. */
  readonly notes: string
  /** Markdown: the conclusions. */
  readonly takeaways: string
  readonly createdAt: UtcIso
  readonly updatedAt: UtcIso
}

/** A user's changes to a saved comparison; absent fields stay. */
export interface ComparisonEdits {
  readonly name?: string | undefined
  readonly refs?: string | undefined
  readonly view?: string | undefined
  readonly notes?: string | undefined
  readonly takeaways?: string | undefined
}
