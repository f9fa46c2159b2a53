import type { JudgedState } from './judged-states'
import type { RunFigures } from './metrics'
import type { Load, UtcIso } from './run'
import type { Tool } from './tools'

/** A run of a series before another one. */
export interface PastRun {
  readonly id: string
  readonly uploadId: string
  readonly orderedAt: UtcIso
  readonly tool: Tool
  readonly load: Load
  readonly figures: RunFigures
  /** What was said of it; null: nothing yet. */
  readonly state: JudgedState | null
}

/** Where a run stands among others: of its series by time, of its document as the file has them. */
export interface RunPlace {
  /** Ids; null: it is the first, or the last. */
  readonly previousId: string | null
  readonly nextId: string | null
  /** 1-based, and of how many; null: more than 1,000 are before it, or after it, or it is a candidate. */
  readonly place: { readonly at: number; readonly of: number } | null
}
