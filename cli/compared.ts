import type { PreparedComparison } from '@/components/compare/prepare-comparison'

/** A pairing of runs, compared. */
export interface Compared {
  /** Empty: it is the only one. */
  readonly title: string
  readonly prepared: PreparedComparison
  /** Two sides are one file. */
  readonly isSame: boolean
}
