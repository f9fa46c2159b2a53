import type { Block, BlockRun } from './importer'
import { truncatedProblem } from './import-problem'

/**
 * The block of a report that is one run. `truncation`: what a report that ends too early lacks, and a hint; null:
 * nothing.
 */
export function reportBlock(
  lines: readonly [first: number, last: number],
  run: BlockRun,
  truncation: readonly [message: string, hint: string] | null,
): Block {
  return { lines, runs: [run], problems: truncation === null ? [] : [truncatedProblem(lines[1], ...truncation)] }
}
