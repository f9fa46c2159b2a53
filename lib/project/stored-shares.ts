import type { FrozenNoise } from '../judge/history-noise'
import type { CellNote, UtcIso } from '../run/run'

export const shareKinds = ['run', 'comparison', 'matrix'] as const
export type ShareKind = (typeof shareKinds)[number]

/** Why a cell of a shared matrix is empty. */
export type SharedCellNote = Omit<CellNote, 'line'>

/** What a share shows: these runs, in this order, in this view. Frozen when the share is made. */
export interface SharedView {
  readonly kind: ShareKind
  /** Of a comparison the base is first; of a matrix the order says nothing. */
  readonly runIds: readonly string[]
  /** How many of those runs, one after the other, each side has: they repeat each other. */
  readonly sideSizes: readonly number[]
  /** The query of the address that was shared, without `?`; empty: the default view. */
  readonly view: string
  /** Markdown beside the figures; empty: none. */
  readonly notes: string
  /** Of a matrix; else none. */
  readonly cellNotes: readonly SharedCellNote[]
  /** Of a comparison or a matrix: what the histories of its sides or cells said of their noise. */
  readonly noise: readonly FrozenNoise[]
  /** Whether the lines of tool output that the runs were read from are shown, too. */
  readonly includeRaw: boolean
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
  /** What the project is called now. */
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

/** Days that a share lives unless its maker says otherwise. */
export const defaultShareDays = 30

/** Whether the link of a share opens at this moment. */
export function shareIsOpen(share: Pick<ShareSummary, 'expiresAt' | 'revokedAt'>, nowMs: number): boolean {
  return share.revokedAt === null && (share.expiresAt === null || Date.parse(share.expiresAt) > nowMs)
}
