import type { Block, BlockRun } from './importer'
import { cutProblem } from './import-problem'

/** The block of a report that is one run. `cut`: what a report that ends too early lacks, and a hint; null: nothing. */
export function reportBlock(
  lines: readonly [first: number, last: number],
  run: BlockRun,
  cut: readonly [message: string, hint: string] | null,
): Block {
  return { lines, runs: [run], problems: cut === null ? [] : [cutProblem(lines[1], ...cut)] }
}
