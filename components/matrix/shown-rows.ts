import { doubtWord, missingReason } from '@/lib/judge/delta'
import { columnUnit, formatFactor, formatInColumn, formatMetric, formatPercent, type ColumnUnit } from '@/lib/format'
import { metricOfSide } from '@/lib/judge/sides'
import { isFailing, type CellFigure, type Matrix, type MatrixCell, type MatrixRow } from '@/lib/matrix/matrix'
import type { MatrixAttributes } from '@/lib/matrix/attributes'
import { nameFields } from '@/lib/matrix/matrix-field'
import { boundOf, findMetric } from '@/lib/run/metrics'
import type { RunRow } from '@/lib/history/stored-runs'
import type { StoredCellNote } from '@/lib/project/stored-cell-notes'
import { prepareCellCurves } from '../charts/cell-curve'
import type { CellCurve } from '../charts/plot/rows/curve'
import { judgementWords, type JudgementWords } from '../compare/delta-words'
import { rawLinesHref } from '../run/provenance/line-link'
import type { CellAddress } from './cell-note-form'
import { restsOnFew } from '@/lib/stats/sampled-run'
import { addressOf, cellFoot, linksOf, unitsOf, type MatrixLinks, type SidesHref } from './matrix-cells'

/** A figure of a cell in words. Absent parts are left out, so that hundreds of cells stay small in a page. */
export interface ShownFigure {
  /** Position in the matrix's metrics. */
  readonly of: number
  readonly text: string
  /** Runs of the cell that have it. */
  readonly count: number
  /** Why it is missing. */
  readonly gap?: string
  readonly best?: true
  /** It rests on few samples in most of them. */
  readonly few?: true
  /** `×1.2`, against the base column, with the direction of the change. */
  readonly factor?: string
  readonly arrow?: 'up' | 'down'
  /** The verdict in a word, and its colour class. */
  readonly word?: string
  /** What is above the table says it of all such changes: here, it is for screen readers. */
  readonly isWordAbove?: true
  readonly tone?: JudgementWords['tone']
}

/** A cell with runs, or (no `figures`) without. */
export interface ShownCell {
  readonly figures?: readonly ShownFigure[]
  /** Median and tail, unless a figure shows them, and what failed. */
  readonly facts?: readonly (readonly [name: string, text: string])[]
  /** So many requests failed that this leads the cell. */
  readonly failing?: string
  readonly curve?: CellCurve
  readonly href?: string
  /** How many runs it covers and when they ran, if there are several or older ones. */
  readonly foot?: string
  /** For an empty cell: why, in a person's words, and where the note is stored. */
  readonly note?: string
  /** The line of the document with this. */
  readonly line?: { readonly number: number; readonly href: string }
  readonly address?: readonly [scenario: string, variant: string | null, environment: string | null]
}

export interface ShownRow {
  readonly name: string
  readonly others: string
  /** What all its cells have in common. */
  readonly facts: string
  /** All cells side by side; null: there are fewer than two. */
  readonly href: string | null
  readonly cells: readonly ShownCell[]
}

export interface ShownMatrix {
  readonly metrics: readonly { readonly label: string; readonly explain: string; readonly isRate: boolean }[]
  readonly columns: readonly string[]
  readonly rows: readonly ShownRow[]
}

interface Parts {
  /** Null: read-only. */
  readonly projectSlug: string | null
  /** Links of cells; null: none. */
  readonly hrefOf: SidesHref | null
  readonly matrix: Matrix
  readonly attributes: MatrixAttributes
  readonly cellNotes: readonly StoredCellNote[]
  readonly runs: readonly RunRow[]
  /** What is above the table says which changes may be noise. */
  readonly isDoubtAbove?: boolean
}

/** The rows of a matrix in words, for the browser: the server formats figures and makes links. */
export function showRows(parts: Parts): ShownMatrix {
  const { matrix, hrefOf, attributes } = parts
  const metrics = [
    ...new Set(matrix.rows.flatMap((row) => row.cells.flatMap((cell) => cell.figures.map((figure) => figure.metric)))),
  ]
  const runOf = new Map(parts.runs.map((run) => [run.id, run]))
  const rows = matrix.rows.map((row, at): ShownRow => {
    const links = hrefOf === null ? null : linksOf(row, matrix, hrefOf)
    const units = unitsOf(row)
    const runs = row.cells.map((cell) => cell.runIds.flatMap((id) => runOf.get(id) ?? []))
    const curves = prepareCellCurves(
      row.cells.map(({ baseColumn }, at) => ({ runs: runs[at] ?? [], baseAt: matrix.columns.indexOf(baseColumn) })),
    )
    const factUnits = factMetrics.map((metric) =>
      columnUnit(
        metric.unit,
        runs.map((own) => metricOfSide(metric, own).value),
      ),
    )
    return {
      name: row.name,
      others: row.others.map(({ field, value }) => value ?? `no ${field}`).join(' · '),
      facts: (attributes.rows[at] ?? []).join(', '),
      href: links?.row ?? null,
      cells: row.cells.map((cell, column) => {
        const own = runs[column] ?? []
        const [run] = own
        if (run === undefined) return emptyCell(cell, row, parts)
        const base = row.cells.find(({ column }) => column === cell.baseColumn)
        // With so many failures, nothing is called better or worse, and served/s replaces the rate.
        const isBarred = isFailing(cell) || (base !== undefined && isFailing(base))
        const isServedKnown = isFailing(cell) && served != null && metricOfSide(served, own).value !== null
        const kept = cell.figures.filter(({ metric }) => !isServedKnown || metric.id !== 'requests-per-second')
        const figures = kept.map((figure) => {
          const { metric } = figure
          const shown = isBarred ? { ...figure, delta: null, leads: false, best: false } : figure
          const unit = units.get(metric.id) ?? noUnit
          const { word, ...words } = showFigure(shown, metrics.indexOf(metric), unit, [run, ...own.slice(1)])
          return { ...words, ...wordOf(word, parts) }
        })
        const curve = curves[column] ?? null
        return {
          figures,
          facts: factsOf(cell, own, factUnits),
          ...(curve === null ? {} : { curve }),
          ...linkOf(links, cell),
          ...failingOf(cell),
          ...footOf(cell),
        }
      }),
    }
  })
  return {
    metrics: metrics.map(({ shortLabel, explain, id }) => ({
      label: shortLabel,
      explain,
      isRate: id === 'requests-per-second',
    })),
    columns: matrix.columns,
    rows,
  }
}

const noUnit: ColumnUnit = { label: '', factor: 1 }
const factMetrics = ['p50', 'p99'].flatMap((id) => findMetric(id) ?? [])
const served = findMetric('throughput')

function emptyCell(cell: MatrixCell, row: MatrixRow, { projectSlug, matrix, cellNotes }: Parts): ShownCell {
  const address = projectSlug === null ? null : addressOf(cell, row, matrix, cellNotes)
  return {
    ...(cell.note === null ? {} : { note: cell.note }),
    ...lineOf(cell.note, address, { projectSlug, cellNotes }),
    ...(address === null ? {} : { address: [address.scenario, address.variant, address.environment] }),
  }
}

function lineOf(
  text: string | null,
  address: CellAddress | null,
  { projectSlug, cellNotes }: Pick<Parts, 'projectSlug' | 'cellNotes'>,
): Pick<ShownCell, 'line'> {
  const note = cellNotes.find(
    (one) => one.text === text && nameFields.every((field) => one[field] === address?.[field]),
  )
  if (projectSlug === null || note === undefined || note.uploadId === null || note.line === null) return {}
  return { line: { number: note.line, href: rawLinesHref(projectSlug, note.uploadId, note.line) } }
}

/** Median and tail beside the leading figure; for a failing cell, what was served and what was offered. */
function factsOf(
  cell: MatrixCell,
  runs: readonly RunRow[],
  units: readonly ColumnUnit[],
): readonly (readonly [string, string])[] {
  const shown = new Set(cell.figures.map(({ metric }) => metric.id))
  const latencies = factMetrics.flatMap((metric, at): (readonly [string, string])[] => {
    const { value } = metricOfSide(metric, runs)
    const unit = units[at] ?? noUnit
    if (shown.has(metric.id) || value === null) return []
    return [
      [metric.shortLabel, withUnit(boundOf(runs[0], metric, value) + formatInColumn(value, metric.unit, unit), unit)],
    ]
  })
  if (isFailing(cell)) {
    const { value } = served == null ? { value: null } : metricOfSide(served, runs)
    const [{ load } = { load: null }] = runs
    const offered = load?.kind === 'open' ? load.ratePerSecond : null
    const of = offered === null ? '' : ` of ${formatMetric(offered, 'per-second')}`
    return value === null ? latencies : [['served', `${formatMetric(value, 'per-second')}${of}`], ...latencies]
  }
  const { errorRatio } = cell
  if (errorRatio === null) return latencies
  return [...latencies, ['failed', errorRatio === 0 ? '0' : formatPercent(errorRatio)]]
}

const withUnit = (text: string, { label }: ColumnUnit): string =>
  label === '' ? text : `${text}${label === '/s' ? '' : '\u00a0'}${label}`

function linkOf(links: MatrixLinks | null, cell: MatrixCell): Pick<ShownCell, 'href'> {
  const href = links?.cells.get(cell.column)
  return href === undefined ? {} : { href }
}

function failingOf(cell: MatrixCell): Pick<ShownCell, 'failing'> {
  return isFailing(cell) ? { failing: formatPercent(cell.errorRatio) } : {}
}

/** The foot of a cell: how many runs its figures cover, when they were run, and what is older. */
function footOf(cell: MatrixCell): Pick<ShownCell, 'foot'> {
  const foot = cellFoot(cell)
  return foot === null ? {} : { foot }
}

const wordOf = (
  word: string | undefined,
  { isDoubtAbove = false }: Parts,
): Pick<ShownFigure, 'word' | 'isWordAbove'> =>
  word === undefined ? {} : isDoubtAbove && word === doubtWord ? { word, isWordAbove: true } : { word }

function showFigure(
  { metric, value, count, delta, best }: CellFigure,
  of: number,
  unit: ColumnUnit,
  runs: readonly [RunRow, ...RunRow[]],
): ShownFigure {
  const [run] = runs
  const said = delta === null ? null : judgementWords(delta, metric)
  return {
    of,
    text: value === null ? '' : withUnit(boundOf(run, metric, value) + formatInColumn(value, metric.unit, unit), unit),
    count,
    ...(value === null ? { gap: missingReason(metric, run) } : {}),
    ...(best ? { best } : {}),
    ...(value !== null && restsOnFew(metric, runs) ? { few: true } : {}),
    ...(delta?.factor == null ? {} : { factor: formatFactor(delta.factor) }),
    ...(said === null
      ? {}
      : { word: said.word, tone: said.tone, ...(said.arrow === null ? {} : { arrow: said.arrow }) }),
  }
}
