import type { PreparedComparison } from '@/components/compare/prepare-comparison'

/** A pairing of runs, compared. */
export interface Compared {
  /** Empty: it is the only one. */
  readonly title: string
  readonly prepared: PreparedComparison
  /** Two sides are one file. */
  readonly isSame: boolean
}

/** What is said of two sides that are one file. */
export const sameWords = 'Two sides are the same file.'
