import { preparePageRuns } from '@/app/_server/page-runs'
import { chosenMetrics } from '@/components/matrix/matrix-url'
import { runName } from '@/components/runs/run-name'
import { columnUnit, formatFactor, formatInColumn } from '@/lib/format'
import { writeMarkdownPage, type PageTable } from '@/lib/markdown-export'
import { buildMatrix, type Matrix } from '@/lib/matrix'
import type { Metric } from '@/lib/metrics'
import type { StoredCellNote, StoredRun } from '@/lib/stored'

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
    tables: metrics.map((metric) => tableOf(matrix, metric)),
    differences: [],
    takeaways: '',
    notes: '',
    runs: await preparePageRuns(runs, runs.map(runName)),
    cellNotes: cellNotes
      .filter((note) => scenarios.has(note.scenario) && note.text !== '')
      .map(({ scenario, variant, environment, text }) => ({ scenario, variant, environment, text })),
  })
}

/** One metric: its value in each cell, and its ratio to the base column's. */
function tableOf(matrix: Matrix, metric: Metric): PageTable {
  const rows = matrix.rows.map(({ name, others, cells }) => {
    const figures = cells.map((cell) => cell.figures.find((figure) => figure.metric.id === metric.id) ?? null)
    const unit = columnUnit(
      metric.unit,
      figures.map((figure) => figure?.value ?? null),
    )
    const words = figures.map((figure, at) => {
      const value = figure?.value ?? null
      if (value === null) return cells[at]?.note ?? formatInColumn(null, metric.unit, unit)
      const factor = figure?.factor ?? null
      return `${formatInColumn(value, metric.unit, unit)} ${unit.label}${factor === null ? '' : ` (${formatFactor(factor)})`}`
    })
    return [[name, ...others.map(({ field, value }) => value ?? `no ${field}`)].join(' · '), ...words]
  })
  const head = ['', ...matrix.columns.map((name) => (matrix.baseColumns.includes(name) ? `${name} (base)` : name))]
  return { title: metric.label, head, rows, foot: 'Several runs of one cell: their median.' }
}
