import { leaningOf, sayableOf, verdictWord, deltasOf, type Delta } from '../judge/delta'
import { labelKey, nameFields, valueOf, type FieldedRun, type MatrixField, type NameField } from './matrix-field'
import { repeats } from '../levels/points'
import { maxFailedRatio } from '../run/judged-states'
import { findMetric, type Metric } from '../run/metrics'
import { barringGuards, metricOfSide, type ComparedRun, type NoiseOf, type Side } from '../judge/sides'
import { readQuantity, withoutQuantities } from './quantity'
import type { CellNote } from '../run/run'
import { profileName } from '../history/series'
import type { RunRow } from '../history/stored-runs'

/** The fields of a run that a matrix reads. */
export type MatrixRun = FieldedRun & ComparedRun & Pick<RunRow, 'seriesId' | 'orderedAt'>

/**
 * One metric of one cell: the comparison with the base; in the base column the median over the runs of its newest
 * experiment.
 */
export interface CellFigure {
  readonly metric: Metric
  readonly value: number | null
  /** Number of runs that have the metric. */
  readonly count: number
  /** Against the base column's cell of the row, judged like its comparison; null: it is that cell, or there is none. */
  readonly delta: Delta | null
  /** The verdict in one word; null in the base column. */
  readonly word: string | null
  /** Whether it is ahead of every other cell of the row, even if only by noise. */
  readonly leads: boolean
  /** Whether it beats every other cell of the row by more than noise (never set for neutral metrics or lone cells). */
  readonly best: boolean
}

export interface MatrixCell {
  readonly column: string
  /** The column that this cell is compared with: itself, or the base of its own operation (`send_…` has its own). */
  readonly baseColumn: string
  /** The newest experiment: a run, or its repeats, newest first. Empty: nothing was run here, or not imported. */
  readonly runIds: readonly string[]
  /** Time of the newest of them; null: the cell is empty. */
  readonly at: string | null
  /** Runs of older experiments, which are not in the figures, and the time of the first of them. */
  readonly older: { readonly count: number; readonly since: string } | null
  /** Share of those runs' requests that failed; null: unknown. */
  readonly errorRatio: number | null
  readonly figures: readonly CellFigure[]
  /** Whether its runs were made under different loads, so that their median mixes different tests. */
  readonly isMixed: boolean
  /** Why it is empty, in a user's or author's words; null otherwise. */
  readonly note: string | null
}

export interface MatrixRow {
  /** Its value of the rows' field; `(none)` for runs without it. */
  readonly name: string
  /** Fields that are not axes and in which rows of this name differ: runs that differ in them are not repeats. */
  readonly others: readonly { readonly field: RestField; readonly value: string | null }[]
  readonly cells: readonly MatrixCell[]
}

export interface Matrix {
  readonly rowsBy: MatrixField
  readonly columnsBy: MatrixField
  /**
   * In order of first appearance (first upload first, then as in its document); labels that are quantities by size.
   * `(none)` for runs without the field.
   */
  readonly columns: readonly string[]
  readonly baselineColumn: string
  /**
   * Every column that others are compared with: `baselineColumn`, and one for each other operation (see `baselineOf`).
   */
  readonly baseColumns: readonly string[]
  readonly rows: readonly MatrixRow[]
}

export type RestField = NameField | 'tool'
const restFields: readonly RestField[] = [...nameFields, 'tool']
export const noName = '(none)'

/** The axes of a matrix as chosen; null: derived from the runs. */
export interface MatrixAxes {
  readonly rowsBy?: MatrixField | null
  readonly columnsBy?: MatrixField | null
}

type Noted = Pick<CellNote, 'scenario' | 'variant' | 'environment' | 'text'>

interface MatrixOptions extends MatrixAxes {
  readonly metrics: readonly Metric[]
  /** Absent: the noise of single runs is unknown. */
  readonly noiseOf?: NoiseOf<MatrixRun>
  /** Null or unknown: the first column. */
  readonly baselineColumn?: string | null
  readonly cellNotes: readonly Noted[]
}

/**
 * Lays runs out by two of their fields. A cell holds its newest experiment only: an old level is not today's. Medians
 * only: percentiles of several runs are never merged.
 */
export function buildMatrix(runs: readonly MatrixRun[], options: MatrixOptions): Matrix {
  const layout = layoutOf(runs, options)
  const { rowsBy, columnsBy, columns, baselineColumn } = layout
  const rest = restFieldsOf(layout)
  const names = inOrder(
    rowsBy,
    layout.runs.map((run) => nameIn(run, rowsBy)),
  )
  return {
    ...{ rowsBy, columnsBy, columns, baselineColumn },
    baseColumns: columns.filter((column) => baselineOf(column, columns, baselineColumn) === column),
    rows: names.flatMap((name) => rowsOf(name, layout, rest, options)),
  }
}

/** Runs and notes on the axes of a matrix. */
interface Layout extends Pick<Matrix, 'rowsBy' | 'columnsBy' | 'columns' | 'baselineColumn'> {
  /** In the order of their documents: it was chosen by an author and has a meaning that times do not. */
  readonly runs: readonly MatrixRun[]
  readonly notes: readonly Noted[]
}

const nameIn = (run: FieldedRun, field: MatrixField): string => valueOf(run, field) ?? noName

function layoutOf(all: readonly MatrixRun[], options: MatrixOptions): Layout {
  const { rowsBy, columnsBy } = axesOf(all, options)
  const runs = all.toSorted((a, b) => a.uploadedAt.localeCompare(b.uploadedAt) || a.indexInUpload - b.indexInUpload)
  const scenarios = new Set(runs.map((run) => run.scenario))
  // A note is attached to names, so it has no place on other axes.
  const noted = nameFields.filter((field) => field === rowsBy || field === columnsBy).length === 2
  const notes = noted ? options.cellNotes.filter((note) => scenarios.has(note.scenario) && note.text !== '') : []
  const noteColumns = notes.map((note) => nameOfNote(note, columnsBy) ?? noName)
  const columns = inOrder(columnsBy, [...runs.map((run) => nameIn(run, columnsBy)), ...noteColumns])
  const baselineColumn = columns.find((column) => column === options.baselineColumn) ?? columns[0] ?? noName
  return { rowsBy, columnsBy, columns, baselineColumn, runs, notes }
}

/**
 * A run's name apart from the axes: `300kb payload` with `payload: 300kb` is redundant, and does not distinguish the
 * run from `350kb payload`.
 */
function restOf(run: FieldedRun, field: RestField, { rowsBy, columnsBy }: Layout): string | null {
  const name = run[field]
  if (name === null || field === 'tool') return name
  const labels = [rowsBy, columnsBy].filter((axis) => labelKey(axis) !== null)
  return withoutQuantities(
    name,
    labels.flatMap((axis) => readQuantity(valueOf(run, axis) ?? '') ?? []),
  )
}

/** The fields that are not axes and distinguish runs. */
function restFieldsOf(layout: Layout): readonly RestField[] {
  const { rowsBy, columnsBy, columns, runs } = layout
  // `gzipped … payload` is redundant with `encoding: gzip`, too, if everything gzipped has that name.
  const isSaidByColumn = (field: RestField): boolean =>
    (field === 'scenario' || field === 'variant') &&
    labelKey(columnsBy) !== null &&
    columns.every((column) => {
      const own = runs.filter((run) => nameIn(run, columnsBy) === column)
      return new Set(own.map((run) => restOf(run, field, layout))).size < 2
    })
  return restFields.filter((field) => field !== rowsBy && field !== columnsBy && !isSaidByColumn(field))
}

/** Runs that differ in another name or in the tool are not repeats: they get separate rows. */
function rowsOf(
  name: string,
  layout: Layout,
  rest: readonly RestField[],
  { metrics, noiseOf = () => null }: MatrixOptions,
): readonly MatrixRow[] {
  const { rowsBy, columnsBy, columns, runs } = layout
  const ofName = runs.filter((run) => nameIn(run, rowsBy) === name)
  const read = (run: FieldedRun, field: RestField) => restOf(run, field, layout)
  // Separate columns per tool already compare tools; only two tools in one cell would be taken for repeats.
  const areToolsApart = columns.every(
    (column) => new Set(ofName.filter((run) => nameIn(run, columnsBy) === column).map(({ tool }) => tool)).size < 2,
  )
  const splitting = areToolsApart ? rest.filter((field) => field !== 'tool') : rest
  const shown = splitting.filter((field) => new Set(ofName.map((run) => read(run, field))).size > 1)
  const isAlike = (a: FieldedRun, b: FieldedRun) => splitting.every((field) => read(a, field) === read(b, field))
  const firsts = ofName.filter((run, at) => ofName.findIndex((other) => isAlike(run, other)) === at)
  return firsts.map((first): MatrixRow => {
    const ofRow = ofName.filter((run) => isAlike(run, first))
    const cells = columns.map((column) => cellOf(column, ofRow, layout, name))
    const others = shown.map((field) => ({ field, value: read(first, field) }))
    return { name, others, cells: judgeRow(cells, metrics, noiseOf) }
  })
}

/** The newest experiment of a row in a column; without any, the note on why. */
function cellOf(column: string, ofRow: readonly MatrixRun[], layout: Layout, rowName: string): RawCell {
  const { rowsBy, columnsBy, columns, baselineColumn, notes } = layout
  const [first] = ofRow
  const isOfCell = (note: Noted) =>
    (nameOfNote(note, columnsBy) ?? noName) === column &&
    nameFields.every((field) =>
      field === columnsBy
        ? true
        : field === rowsBy
          ? (note[field] ?? noName) === rowName
          : [null, first?.[field]].includes(note[field]),
    )
  const { inCell, older } = newestExperiment(ofRow.filter((run) => nameIn(run, columnsBy) === column))
  return {
    column,
    baseColumn: baselineOf(column, columns, baselineColumn),
    runIds: inCell.map((run) => run.id),
    at: inCell[0]?.orderedAt ?? null,
    older,
    runs: inCell,
    isMixed: new Set(inCell.map((run) => profileName(run.tool, run.load))).size > 1,
    note: inCell.length === 0 ? (notes.find(isOfCell)?.text ?? null) : null,
  }
}

/** The column that holds most of the marked baselines of these scenarios; null: none is marked. */
export function markedColumn(
  runs: readonly FieldedRun[],
  baselines: readonly FieldedRun[],
  axes: MatrixAxes,
): string | null {
  const { columnsBy } = axesOf(runs, axes)
  const scenarios = new Set(runs.map((run) => run.scenario))
  const counts = new Map<string, number>()
  for (const run of baselines.filter(({ scenario }) => scenarios.has(scenario))) {
    const column = valueOf(run, columnsBy) ?? noName
    counts.set(column, (counts.get(column) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}

/**
 * Two different fields: as chosen; else scenarios down, and variants across, or environments if no run has a variant.
 */
function axesOf(
  runs: readonly FieldedRun[],
  { rowsBy = null, columnsBy = null }: MatrixAxes,
): { rowsBy: MatrixField; columnsBy: MatrixField } {
  const defaults: readonly MatrixField[] = runs.some((run) => run.variant !== null)
    ? ['variant', 'environment', 'scenario']
    : ['environment', 'variant', 'scenario']
  const rows = rowsBy ?? (columnsBy === 'scenario' ? (defaults[0] ?? 'variant') : 'scenario')
  const columns = columnsBy !== null && columnsBy !== rows ? columnsBy : defaults.find((field) => field !== rows)
  return { rowsBy: rows, columnsBy: columns ?? 'variant' }
}

/** Distinct values. Labels that are all quantities (`1kb`, `10kb`) by size; the rest in their given order. */
function inOrder(field: MatrixField, values: readonly string[]): readonly string[] {
  const each = [...new Set(values)]
  if (labelKey(field) === null) return each
  const sizes = new Map(each.map((value) => [value, readQuantity(value)]))
  const known = [...sizes].flatMap(([value, quantity]) => (quantity === null ? [] : [{ value, quantity }]))
  const missing = each.filter((value) => sizes.get(value) === null)
  const [first] = known
  const isOneKind = known.every(({ quantity }) => quantity.dimension === first?.quantity.dimension)
  if (!isOneKind || missing.some((value) => value !== noName)) return each
  return [...known.sort((a, b) => a.quantity.base - b.quantity.base).map(({ value }) => value), ...missing]
}

function nameOfNote(note: Noted, field: MatrixField): string | null {
  return field === 'scenario' || field === 'variant' || field === 'environment' ? note[field] : null
}

/** Most runs in one link of the matrix, over all cells, and most repeats of one cell. */
export const maxLinkedRuns = 40
const maxRepeats = maxLinkedRuns / 2

/** The newest runs of a cell that repeat each other, newest first, and the older ones. */
function newestExperiment(runs: readonly MatrixRun[]): {
  readonly inCell: readonly MatrixRun[]
  readonly older: MatrixCell['older']
} {
  const inTime = [...runs].sort(
    (a, b) =>
      a.orderedAt.localeCompare(b.orderedAt) ||
      a.uploadedAt.localeCompare(b.uploadedAt) ||
      a.indexInUpload - b.indexInUpload,
  )
  const from = inTime.findLastIndex((run, at) => {
    const before = inTime[at - 1]
    return before === undefined || !repeats(before, run)
  })
  const [first] = inTime
  const older = from > 0 && first ? { count: from, since: first.orderedAt } : null
  return { inCell: inTime.slice(Math.max(0, from)).reverse().slice(0, maxRepeats), older }
}

/** Whether so many requests failed that failures are stated first. */
export const isFailing = ({ errorRatio }: Pick<MatrixCell, 'errorRatio'>): boolean => (errorRatio ?? 0) > maxFailedRatio

type RawCell = Omit<MatrixCell, 'figures' | 'errorRatio'> & { readonly runs: readonly MatrixRun[] }

const sideOf = ([first, ...rest]: readonly MatrixRun[]): Side<MatrixRun> | null => (first ? [first, ...rest] : null)

function judgeRow(
  cells: readonly RawCell[],
  metrics: readonly Metric[],
  noiseOf: NoiseOf<MatrixRun>,
): readonly MatrixCell[] {
  const judged = cells.map(({ runs, ...cell }): MatrixCell => {
    const [base, side] = [cells.find((one) => one.column === cell.baseColumn)?.runs ?? [], runs].map(sideOf)
    const deltas =
      base && side && cell.column !== cell.baseColumn ? deltasOf(base, side, metrics, { noiseOf, candidates: 1 }) : null
    return {
      ...cell,
      errorRatio: errorRatioOf(runs),
      figures: metrics.map((metric) => {
        const { value: own, count } = metricOfSide(metric, runs)
        const delta = deltas?.get(metric.id) ?? null
        const value = delta === null ? own : delta.value
        const others = cells.filter((other) => other.column !== cell.column && other.baseColumn === cell.baseColumn)
        const mayLead = value !== null && (delta === null || delta.reason === null)
        return {
          metric,
          value,
          count,
          delta: delta?.verdict === 'unknown' ? null : delta,
          word: delta === null || delta.verdict === 'unknown' ? null : verdictWord(delta, metric),
          leads: mayLead && leadsRow(metric, runs, others),
          best: false,
        }
      }),
    }
  })
  return judged.map((cell) => ({
    ...cell,
    figures: cell.figures.map((figure) => ({ ...figure, best: figure.leads && isDecided(cell, figure, judged) })),
  }))
}

/** Whether a leading cell is ahead by more than noise: of its base, or as the base of each other cell. */
function isDecided(cell: MatrixCell, { metric, delta }: CellFigure, row: readonly MatrixCell[]): boolean {
  if (delta !== null) return sayableOf(delta, metric) === 'better'
  const beside = row.filter((one) => one !== cell && one.baseColumn === cell.column && one.runIds.length > 0)
  const rivals = beside
    .filter((one) => !isFailing(one))
    .flatMap(({ figures }) => {
      const own = figures.find((one) => one.metric.id === metric.id)
      return own === undefined || own.value === null ? [] : [own]
    })
  return rivals.every((one) => one.delta !== null && sayableOf(one.delta, metric) === 'worse')
}

/** Share of the requests that failed, pooled as in comparisons. */
const errorRatioOf = (runs: readonly MatrixRun[]): number | null => {
  const metric = findMetric('error-ratio')
  return metric && metricOfSide(metric, runs).value
}

/**
 * Whether it is the best of its row by more than half a percent. Cells barred by a guard cannot be. Cells whose
 * requests failed are ignored; every other one must be beaten in its printed figure, even if it cannot win itself.
 */
function leadsRow(metric: Metric, runs: readonly MatrixRun[], others: readonly RawCell[]): boolean {
  const isBarred = (ofCell: readonly MatrixRun[]) =>
    ofCell.some((run) => barringGuards(run, metric).some(({ code }) => code !== 'few-for-tail'))
  const rivals = others.flatMap((other) => {
    const { value } = metricOfSide(metric, other.runs)
    return value === null || isFailing({ errorRatio: errorRatioOf(other.runs) }) ? [] : [{ value, runs: other.runs }]
  })
  const own = isBarred(runs) ? null : metricOfSide(metric, runs).value
  return (
    own !== null &&
    rivals.some((rival) => !isBarred(rival.runs)) &&
    rivals.every(({ value }) => leaningOf(metric, value, own) === 'better')
  )
}

/** Words that name an operation; a different one is a different operation, not another way of doing the same. */
const operations = new Set([
  'get',
  'send',
  'put',
  'post',
  'patch',
  'delete',
  'read',
  'write',
  'receive',
  'create',
  'update',
  'list',
  'encode',
  'decode',
])

const tokensOf = (name: string): readonly string[] => name.toLowerCase().split(/[^a-z0-9]+/)

/** The operation in a name; null: none, or several. */
function operationOf(name: string): string | null {
  const named = tokensOf(name).filter((token) => operations.has(token))
  return named.length === 1 ? (named[0] ?? null) : null
}

/**
 * What a column is compared with: `baseline`, unless every column names one operation and this one's is different; then
 * the column of its own operation whose name is most similar to the baseline's (`send_protobuf` beside `get_protobuf`).
 */
function baselineOf(column: string, columns: readonly string[], baseline: string): string {
  const operation = operationOf(column)
  if (operation === operationOf(baseline) || columns.some((one) => operationOf(one) === null)) return baseline
  const wanted = new Set(tokensOf(baseline))
  const shared = (name: string) => tokensOf(name).filter((token) => wanted.has(token)).length
  const own = columns.filter((one) => operationOf(one) === operation)
  return own.reduce((best, one) => (shared(one) > shared(best) ? one : best), own[0] ?? baseline)
}
