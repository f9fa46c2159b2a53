import { setImmediate } from 'node:timers/promises'
import type { PageRun } from '@/lib/export/markdown-export'
import type { StoredRun } from '@/lib/history/stored-runs'
import { outputThatReadsBack } from './page-output'
import { readRunLines } from '../uploads/read-run-lines'

/** Longer output would make the page too large to open: its figures are written instead. */
const most = { lines: 2_000, characters: 100_000 }
/** For the outputs of all runs together: the first ones are written. */
const pageCharacters = 400_000

/** Runs for a Markdown page, each with its tool's output if that can be read back. `titles`: in their order. */
export async function preparePageRuns(
  runs: readonly StoredRun[],
  titles: readonly string[],
): Promise<readonly PageRun[]> {
  const found = await readRunLines(runs, most)
  let left = pageCharacters
  const pages: PageRun[] = []
  for (const [at, run] of runs.entries()) {
    const { id, scenario, variant, environment, labels, environmentAttributes, startedAt, imported } = run
    const page: PageRun = {
      title: titles[at] ?? scenario,
      scenario,
      variant,
      environment,
      labels,
      environmentAttributes,
      startedAt,
      imported,
      output: null,
    }
    const { lines, isWhole } = found.get(id) ?? { lines: [], isWhole: false }
    const text = lines.map((line) => line.text)
    const fits = isWhole && text.join('\n').length <= left
    const output = fits ? await outputThatReadsBack(page, text) : null
    left -= output?.join('\n').length ?? 0
    pages.push({ ...page, output })
    // Reading a page back never waits for I/O: other requests come first.
    await setImmediate()
  }
  return pages
}
