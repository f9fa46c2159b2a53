import { missingReason } from '@/lib/judge/delta'
import { formatFactor, formatInColumn, formatPercent, type ColumnUnit } from '@/lib/format'
import type { CellFigure, Matrix, MatrixCell, MatrixRow } from '@/lib/matrix/matrix'
import type { RunRow, StoredCellNote } from '@/lib/run/stored'
import { deltaWords, type DeltaWords } from '../compare/delta-words'
import { addressOf, cellFoot, linksOf, unitsOf, type MatrixLinks } from './matrix-cells'

/** A figure of a cell in words. What is absent is not said, so that hundreds of cells stay small in a page. */
export interface ShownFigure {
  /** Position in the matrix's metrics. */
  readonly of: number
  readonly text: string
  /** Runs of the cell that have it. */
  readonly count: number
  /** Why it is missing. */
  readonly gap?: string
  readonly best?: true
  /** `1.2×`, against the base column. */
  readonly factor?: string
  /** The verdict in a word, and its colour class. */
  readonly word?: string
  readonly tone?: DeltaWords['tone']
}

/** A cell with runs, or (no `figures`) without. */
export interface ShownCell {
  readonly figures?: readonly ShownFigure[]
  readonly href?: string
  /** Requests that failed, which come before any latency. */
  readonly failed?: string
  /** How many runs it stands for and of when, where there are several or older ones. */
  readonly foot?: string
  /** Of an empty cell: why, in a person's words, and where they are stored. */
  readonly note?: string
  readonly address?: readonly [scenario: string, variant: string | null, environment: string | null]
}

export interface ShownRow {
  readonly name: string
  readonly others: string
  /** All cells side by side; null: there are fewer than two. */
  readonly href: string | null
  readonly cells: readonly ShownCell[]
}

export interface ShownMatrix {
  readonly metrics: readonly { readonly label: string; readonly explain: string }[]
  readonly rows: readonly ShownRow[]
}

interface Parts {
  readonly projectSlug: string | null
  readonly matrix: Matrix
  readonly cellNotes: readonly StoredCellNote[]
  readonly runs: readonly RunRow[]
}

/** The rows of a matrix in words, for the browser: figures are formatted and links are made on the server. */
export function showRows(parts: Parts): ShownMatrix {
  const { matrix, projectSlug } = parts
  const metrics = [
    ...new Set(matrix.rows.flatMap((row) => row.cells.flatMap((cell) => cell.figures.map((figure) => figure.metric)))),
  ]
  const runOf = new Map(parts.runs.map((run) => [run.id, run]))
  const rows = matrix.rows.map((row): ShownRow => {
    const links = projectSlug === null ? null : linksOf(row, matrix, projectSlug)
    const units = unitsOf(row)
    return {
      name: row.name,
      others: row.others.map(({ field, value }) => value ?? `no ${field}`).join(' · '),
      href: links?.row ?? null,
      cells: row.cells.map((cell) => {
        const run = runOf.get(cell.runIds[0] ?? '')
        if (run === undefined) return emptyCell(cell, row, parts)
        const figures = cell.figures.map((figure) => {
          const { metric } = figure
          return showFigure(figure, metrics.indexOf(metric), units.get(metric.id) ?? { label: '', factor: 1 }, run)
        })
        return { figures, ...hrefOf(links, cell), ...failedOf(cell), ...footOf(cell) }
      }),
    }
  })
  return { metrics: metrics.map((metric) => ({ label: metric.shortLabel, explain: metric.explain })), rows }
}

function emptyCell(cell: MatrixCell, row: MatrixRow, { projectSlug, matrix, cellNotes }: Parts): ShownCell {
  const address = projectSlug === null ? null : addressOf(cell, row, matrix, cellNotes)
  return {
    ...(cell.note === null ? {} : { note: cell.note }),
    ...(address === null ? {} : { address: [address.scenario, address.variant, address.environment] }),
  }
}

function hrefOf(links: MatrixLinks | null, cell: MatrixCell): Pick<ShownCell, 'href'> {
  const href = links?.cells.get(cell.column)
  return href === undefined ? {} : { href }
}

function failedOf({ errorRatio }: MatrixCell): Pick<ShownCell, 'failed'> {
  return errorRatio === null || errorRatio === 0 ? {} : { failed: `${formatPercent(errorRatio)} failed` }
}

/** The foot of a cell: of how many runs its figures are, when they were run, and what is older. */
function footOf(cell: MatrixCell): Pick<ShownCell, 'foot'> {
  const foot = cellFoot(cell)
  return foot === null ? {} : { foot }
}

function showFigure(
  { metric, value, count, delta, best }: CellFigure,
  of: number,
  unit: ColumnUnit,
  run: RunRow,
): ShownFigure {
  const { word, tone } = delta === null ? { word: null, tone: 'muted' as const } : deltaWords(delta, metric)
  const label = value === null || unit.label === '' ? '' : unit.label === '/s' ? '/s' : `\u00a0${unit.label}`
  return {
    of,
    text: `${formatInColumn(value, metric.unit, unit)}${label}`,
    count,
    ...(value === null ? { gap: missingReason(metric, run) } : {}),
    ...(best ? { best } : {}),
    ...(delta?.factor == null ? {} : { factor: formatFactor(delta.factor) }),
    ...(word === null ? {} : { word, tone }),
  }
}
