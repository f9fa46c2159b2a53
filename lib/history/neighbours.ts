import type { JudgedState } from '../run/judged-states'
import type { RunFigures } from '../run/metrics'
import type { Load, UtcIso } from '../run/run'
import type { Tool } from '../run/tools'

/** An earlier run of a series. */
export interface PastRun {
  readonly id: string
  readonly uploadId: string
  readonly orderedAt: UtcIso
  /** Its label `commit`; null: none. */
  readonly commit: string | null
  readonly tool: Tool
  readonly load: Load
  readonly figures: RunFigures
  /** The state of its judgement; null: not judged yet. */
  readonly state: JudgedState | null
}

/** The place of a run among others: in its series by time, in its document in file order. */
export interface RunPlace {
  /** Ids; null: it is the first, or the last. */
  readonly previousId: string | null
  readonly nextId: string | null
  /** 1-based, with the total; null: more than 1,000 runs are before or after it, or it is a candidate. */
  readonly place: { readonly at: number; readonly of: number } | null
}
