import type { RowBox } from '../../lib/cube/row-box'
import type { ServerRow } from '../../lib/cube/join-rows'

/** What is wanted of raw rows beside their run; nothing unless it is asked for. */
export interface Wanted {
  /** A cube (lib/cube). */
  readonly cube?: boolean
  /** The rows in a box, and all others, as cubes; `originS`: what its times count from, in seconds as rows have them. */
  readonly box?: { readonly of: RowBox; readonly originS: number }
  /** Every row, to be joined with others. */
  readonly table?: boolean
  /** Invocations by request id: rows with such an id are cold or warm, and have a number `lambda;duration`. */
  readonly invocations?: ReadonlyMap<string, ServerRow>
}
