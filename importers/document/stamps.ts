import type { CellNote, ImportProblem } from '../../lib/run/run'
import { isStampLine, readStamp, type RunStamp } from '../../lib/export/run-stamp'
import type { DocumentLine } from './markdown'

/** What Tailboard's own comments in a document say. */
export interface FoundStamps {
  /** By index of the block that each is above. */
  readonly ofBlocks: ReadonlyMap<number, { readonly stamp: RunStamp; readonly line: number }>
  readonly cellNotes: readonly CellNote[]
  readonly problems: readonly ImportProblem[]
}

/**
 * Reads the comments that a page of ours holds: one above each run's output, one for each empty cell. `lines` and
 * `blockLines` (the first line of each block) rise. A comment names the next block below it, and no other.
 */
export function readStamps(lines: readonly DocumentLine[], blockLines: readonly number[]): FoundStamps {
  const ofBlocks = new Map<number, { readonly stamp: RunStamp; readonly line: number }>()
  const cellNotes: CellNote[] = []
  const problems: ImportProblem[] = []
  for (const { text, number: line, fence } of lines) {
    if (fence !== null || !isStampLine(text)) continue
    const read = readStamp(text)
    if (read === null) problems.push(unreadable(line))
    else if (read.kind === 'cell') cellNotes.push({ ...read.stamp, line })
    else {
      const block = blockLines.findIndex((first) => first > line)
      // The nearest comment above a block is its own.
      if (block >= 0) ofBlocks.set(block, { stamp: read.stamp, line })
    }
  }
  return { ofBlocks, cellNotes, problems }
}

function unreadable(line: number): ImportProblem {
  return {
    code: 'not-understood',
    severity: 'warning',
    line,
    lastLine: null,
    message: 'a comment of Tailboard was modified: names are read from headings instead',
    hint: 'Export the page again, or name the run manually.',
  }
}
