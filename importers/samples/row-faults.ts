import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { errorAt } from '../import-problem'

/** The position of the first unreadable row, and their number. `line` and `offset` as in ImportError. */
export class RowFaults {
  count = 0
  private firstLine: number | null = null
  private firstOffset: number | null = null
  private firstMessage = ''
  /** Lines of the first three. */
  readonly firstLines: number[] = []

  add(message: string, place: { readonly line?: number; readonly offset?: number }): void {
    this.count++
    if (place.line !== undefined && this.firstLines.length < 3) this.firstLines.push(place.line)
    if (this.count > 1) return
    this.firstLine = place.line ?? null
    this.firstOffset = place.offset ?? null
    this.firstMessage = message
  }

  /**
   * What to report of them given `rows` readable rows; null: there are none.
   * @throws ImportError `malformed` when less than half of the rows can be read.
   */
  report(rows: number, hint: string): ImportProblem | null {
    if (this.count === 0) return null
    const message =
      this.count === 1 ? this.firstMessage : `${this.count} rows cannot be read; the first: ${this.firstMessage}`
    if (rows <= this.count)
      throw new ImportError('malformed', message, { line: this.firstLine, offset: this.firstOffset, hint })
    return errorAt('malformed', this.firstLine, message, hint)
  }
}
