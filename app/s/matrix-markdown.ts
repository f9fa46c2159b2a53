import { preparePageRuns } from '@/app/_server/sharing/page-runs'
import { chosenMetrics } from '@/components/matrix/matrix-url'
import { runName } from '@/components/runs/run-name'
import { matrixTable } from '@/components/shared/matrix-files'
import { writeMarkdownPage } from '@/lib/export/markdown-export'
import { buildMatrix } from '@/lib/judge/matrix'
import type { StoredCellNote, StoredRun } from '@/lib/run/stored'

/** What of a matrix's address its page follows. */
interface Layout {
  readonly metricIds: readonly string[] | null
  readonly rowsBy: Parameters<typeof buildMatrix>[1]['rowsBy']
  readonly columnsBy: Parameters<typeof buildMatrix>[1]['columnsBy']
  readonly baseColumn: string | null
}

/** A matrix as the page that people write by hand, with the output of its runs; importing it gives the same runs. */
export async function matrixMarkdown(
  name: string,
  runs: readonly StoredRun[],
  { metricIds, rowsBy, columnsBy, baseColumn }: Layout,
  cellNotes: readonly StoredCellNote[],
): Promise<string> {
  const metrics = chosenMetrics(metricIds, runs)
  const axes = { rowsBy: rowsBy ?? null, columnsBy: columnsBy ?? null, baselineColumn: baseColumn }
  const matrix = buildMatrix(runs, { metrics, cellNotes, ...axes })
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
