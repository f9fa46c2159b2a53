import type { FrozenNoise } from '../judge/history-noise'
import type { CellNote, UtcIso } from '../run/run'

export const shareKinds = ['run', 'comparison', 'matrix', 'board'] as const
export type ShareKind = (typeof shareKinds)[number]

/** Why a cell of a shared matrix is empty. */
export type SharedCellNote = Omit<CellNote, 'line'>

/** What a share shows: these runs, in this order, in this view. Frozen when the share is made. */
export interface SharedView {
  readonly kind: ShareKind
  /** In a comparison the base is first; in a matrix the order has no meaning; a board has the newest run of each series. */
  readonly runIds: readonly string[]
  /** How many consecutive runs belong to each side: they are repeats. */
  readonly sideSizes: readonly number[]
  /** The query of the address that was shared, without `?`; empty: the default view. */
  readonly view: string
  /** Markdown beside the figures; empty: none. */
  readonly notes: string
  /** For a matrix; else empty. */
  readonly cellNotes: readonly SharedCellNote[]
  /** For a comparison or a matrix: the noise in the histories of its sides or cells. */
  readonly noise: readonly FrozenNoise[]
  /** Whether the lines of tool output that the runs were read from are shown as well. */
  readonly includeRaw: boolean
  /** Of a comparison: whether what its difference stands with is shown, with values of its rows (targets, headers). */
  readonly includeWhy: boolean
}

interface Share extends SharedView {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly createdAt: UtcIso
  /** Null: never. */
  readonly expiresAt: UtcIso | null
  /** Whether pages of other sites may show it in a frame. */
  readonly embeddable: boolean
}

/** What anyone with the link sees. */
export interface OpenedShare extends Share {
  /** The project's current name. */
  readonly projectName: string
}

/** A share as its owner sees it. The token is not stored: a lost link is replaced by a new share. */
export interface ShareSummary extends Share {
  /** Null: not revoked. */
  readonly revokedAt: UtcIso | null
  /** How often its page was opened. */
  readonly viewCount: number
  /** Null: never. */
  readonly lastViewedAt: UtcIso | null
}

/** Most series of a shared board. */
export const maxSharedSeries = 200

/** Default lifetime of a share in days. */
export const defaultShareDays = 30

/** Whether a share's link works at this moment. */
export function shareIsOpen(share: Pick<ShareSummary, 'expiresAt' | 'revokedAt'>, nowMs: number): boolean {
  return share.revokedAt === null && (share.expiresAt === null || Date.parse(share.expiresAt) > nowMs)
}
