import { toCsv } from '@/lib/export/csv'
import type { MatrixData } from '@/lib/export/matrix-data'
import { columnUnit, formatDay, formatFactor, formatInColumn, formatPercent } from '@/lib/format'
import type { PageTable } from '@/lib/export/markdown-export'
import type { Matrix } from '@/lib/matrix/matrix'
import { rowName } from '@/lib/matrix/matrix-words'
import { cellFoot, footOf } from '../matrix/matrix-cells'
import type { Metric } from '@/lib/run/metrics'
import type { PreparedMatrix } from '../matrix/prepare-matrix'
import { markdownTable } from '@/lib/export/markdown-table'

/** One metric of a matrix in words: its value in each cell, and its ratio to the base column's. */
export function matrixTable(matrix: Matrix, metric: Metric): PageTable {
  const rows = matrix.rows.map((row) => {
    const figures = row.cells.map((cell) => cell.figures.find((figure) => figure.metric.id === metric.id) ?? null)
    const unit = columnUnit(
      metric.unit,
      figures.map((figure) => figure?.value ?? null),
    )
    const words = figures.map((figure, at) => {
      const value = figure?.value ?? null
      if (value === null) return row.cells[at]?.note ?? formatInColumn(null, metric.unit, unit)
      const factor = figure?.delta?.factor ?? null
      const said = [...(factor === null ? [] : [formatFactor(factor)]), ...(figure?.word == null ? [] : [figure.word])]
      const errorRatio = row.cells[at]?.errorRatio ?? 0
      const failed = errorRatio === 0 ? '' : `${formatPercent(errorRatio)} failed, `
      const words = said.length === 0 ? '' : ` (${said.join(' ')})`
      const { older = null, at: when = null } = row.cells[at] ?? {}
      const date = older === null || when === null ? '' : `, ${formatDay(when)}`
      return `${failed}${formatInColumn(value, metric.unit, unit)} ${unit.label}${words}${date}`
    })
    return [rowName(row), ...words]
  })
  const head = ['', ...matrix.columns.map((name) => (matrix.baseColumns.includes(name) ? `${name} (base)` : name))]
  return { title: metric.label, head, rows, foot: footOf(matrix) }
}

/** The matrix as Markdown: its verdict, and a table for each metric. */
export function matrixText({ sentence, verdict, matrix, metrics }: PreparedMatrix): string {
  const tables = metrics.map((metric) => matrixTable(matrix, metric))
  const parts = tables.map(({ title, foot, ...table }) => `## ${title}\n\n${markdownTable(table)}\n${foot}\n`)
  return `${verdict}. ${sentence}.\n\n${parts.join('\n')}`
}

/**
 * A cell within this many characters. Text in brackets is kept whole or left out: a verdict without its end would be
 * another.
 */
export function clipCell(text: string, most: number): string {
  if (text.length <= most) return text
  const short = text.slice(0, Math.max(0, most - 3))
  const open = short.lastIndexOf(' (')
  return `${open >= 0 && !short.includes(')', open) ? short.slice(0, open) : short}...`
}

/** Every figure unrounded, one row per cell and metric; for repeats of the newest experiment, their median. */
export function matrixCsv({ matrix }: PreparedMatrix): string {
  const head = [
    'row',
    'column',
    'base_column',
    'metric',
    'unit',
    'runs',
    'value',
    'factor',
    'verdict',
    'error_ratio',
    'of',
    'note',
  ]
  const rows = matrix.rows.flatMap((row) =>
    row.cells.flatMap((cell) =>
      cell.figures.map(({ metric, value, delta, word }) => [
        rowName(row),
        cell.column,
        cell.baseColumn,
        metric.id,
        metric.unit,
        cell.runIds.join(' '),
        value,
        delta?.factor ?? null,
        word,
        cell.errorRatio,
        cellFoot(cell),
        cell.note,
      ]),
    ),
  )
  return toCsv([head, ...rows])
}

/** The matrix as JSON: its axes, every figure unrounded, why cells are empty, and the runs behind it. */
export function matrixJson({ matrix, runs, sentence, verdict }: PreparedMatrix): string {
  const { rowsBy, columnsBy, columns, baseColumns } = matrix
  const data: MatrixData = {
    sentence,
    verdict,
    rowsBy,
    columnsBy,
    columns,
    baseColumns,
    rows: matrix.rows.map(({ name, others, cells }) => ({
      name,
      others,
      cells: cells.map(({ figures, ...cell }) => ({
        ...cell,
        figures: figures.map(({ metric, ...figure }) => ({ metric: metric.id, unit: metric.unit, ...figure })),
      })),
    })),
    runs: runs.map(({ id, scenario, variant, environment, labels, tool, load, startedAt, figures }) => ({
      id,
      scenario,
      variant,
      environment,
      labels,
      tool,
      load,
      startedAt,
      figures,
    })),
  }
  return `${JSON.stringify(data, null, 2)}\n`
}
