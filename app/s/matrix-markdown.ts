import { preparePageRuns } from '@/app/_server/sharing/page-runs'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { runName } from '@/components/runs/run-name'
import { matrixTable } from '@/components/shared/matrix-files'
import { writeMarkdownPage } from '@/lib/export/markdown-export'
import type { StoredRun } from '@/lib/history/stored-runs'

/**
 * A matrix as a page like those people write by hand, with the output of its runs; importing it gives the same runs.
 */
export async function matrixMarkdown(
  name: string,
  { matrix, metrics, cellNotes }: PreparedMatrix,
  runs: readonly StoredRun[],
): Promise<string> {
  const scenarios = new Set(runs.map((run) => run.scenario))
  return writeMarkdownPage({
    title: name,
    lead: [],
    tables: metrics.map((metric) => matrixTable(matrix, metric)),
    differences: [],
    takeaways: '',
    notes: '',
    runs: await preparePageRuns(runs, runs.map(runName)),
    cellNotes: cellNotes
      .filter((note) => scenarios.has(note.scenario) && note.text !== '')
      .map(({ scenario, variant, environment, text }) => ({ scenario, variant, environment, text })),
  })
}
