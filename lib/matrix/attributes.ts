import { formatFactor, formatMetric, formatTick } from '../format'
import { readQuantity } from './quantity'
import { labelKey } from './matrix-field'
import { isFailing, type Matrix, type MatrixCell, type MatrixRow } from './matrix'
import { rowName, type InstancesOf } from './matrix-words'
import { namingKeys } from './sweep-axis'
import type { RunRow } from '../history/stored-runs'

/** The value of an attribute in one column. */
export interface ColumnAttribute {
  readonly text: string
  /** Relative to the base; null: it is the base, equal, or no number. */
  readonly factor: string | null
  /** Rows in which it differs, with their values; empty: none. */
  readonly except: string
}

/** What distinguishes columns other than what was measured. */
export interface MatrixAttribute {
  readonly name: string
  /** In the order of the columns; null: unknown. */
  readonly columns: readonly (ColumnAttribute | null)[]
}

/** How the runs of a matrix were made. */
export interface MatrixAttributes {
  readonly differing: readonly MatrixAttribute[]
  /** What is the same in every cell: `region us-east-2`. */
  readonly equal: readonly string[]
  /** For each row, what all its cells share: `1 000 requests`, `100 connections`. */
  readonly rows: readonly (readonly string[])[]
}

/** A value in a cell. */
interface Known {
  readonly row: number
  readonly column: number
  readonly value: string
}

/** Labels that identify a run's experiment. */
export const experimentKeys = new Set(['round', 'rounds', 'order', 'commit'])

/** Attributes of the cells by their newest run: those that differ between columns or rows, and those that are equal. */
export function matrixAttributes(matrix: Matrix, runs: readonly RunRow[]): MatrixAttributes {
  const runOf = new Map(runs.map((run) => [run.id, run]))
  const cells = matrix.rows.flatMap((row, at) =>
    row.cells.flatMap((cell) => {
      const run = runOf.get(cell.runIds[0] ?? '')
      return run === undefined ? [] : [{ run, row: at, column: matrix.columns.indexOf(cell.column) }]
    }),
  )
  const differing: MatrixAttribute[] = []
  const equal: string[] = []
  const rows = matrix.rows.map((): string[] => [])
  for (const { name, of, isResult = false, words = (value: string) => `${name} ${value}` } of fieldsOf(matrix, runs)) {
    const known = cells.flatMap(({ run, row, column }): Known[] => {
      const value = of(run)
      return value === null ? [] : [{ row, column, value }]
    })
    const values = [...new Set(known.map(({ value }) => value))]
    const [first] = values
    if (first === undefined) continue
    if (values.length === 1 && known.length === cells.length) equal.push(words(first))
    else if (isOfRows(known, cells.length)) {
      for (const [at, own] of rows.entries()) {
        const found = known.find(({ row }) => row === at)
        if (found !== undefined) own.push(words(found.value))
      }
    } else if (!isResult) differing.push({ name, columns: columnsOf(known, matrix) })
  }
  return { differing: [...differing, ...perInstance(matrix, runs)], equal, rows }
}

interface Field {
  readonly name: string
  readonly of: (run: RunRow) => string | null
  readonly words?: (value: string) => string
  /** A setting where chosen, else an outcome of a run of some length, which varies by itself. */
  readonly isResult?: boolean
}

function fieldsOf({ rowsBy, columnsBy }: Matrix, runs: readonly RunRow[]): readonly Field[] {
  const axes = [rowsBy, columnsBy]
  const keys = [...new Set(runs.flatMap((run) => Object.keys(run.labels)))].filter(
    (key) =>
      !axes.some((axis) => labelKey(axis) === key) &&
      !experimentKeys.has(key) &&
      (key === 'instances' || !namingKeys.test(key)),
  )
  const ofRun: readonly Field[] = [
    {
      name: 'requests',
      of: ({ figures: { requests } }) => (requests === null || requests < 2 ? null : formatMetric(requests, 'count')),
      words: (value) => `${value} requests`,
      isResult: true,
    },
    {
      name: 'rate',
      of: ({ load }) => (load.kind === 'open' && load.ratePerSecond !== null ? String(load.ratePerSecond) : null),
      words: (value) => `${value}/s offered`,
    },
    {
      name: 'connections',
      of: ({ load }) => (load.kind === 'closed' && load.connections !== null ? String(load.connections) : null),
      words: (value) => `${value} connections`,
    },
  ]
  return [
    ...keys.map((key): Field => ({
      name: key,
      of: ({ labels }) => (Object.hasOwn(labels, key) ? (labels[key] ?? null) : null),
    })),
    ...(axes.includes('environment') ? [] : [{ name: 'environment', of: ({ environment }: RunRow) => environment }]),
    ...(axes.includes('tool') ? [] : [{ name: 'tool', of: ({ tool }: RunRow) => tool }]),
    ...ofRun.filter(({ name }) => !keys.includes(name)),
  ]
}

/** Whether each row has a single value in all its cells. */
function isOfRows(known: readonly Known[], cells: number): boolean {
  const byRow = new Map<number, Set<string>>()
  for (const { row, value } of known) byRow.set(row, (byRow.get(row) ?? new Set()).add(value))
  return known.length === cells && [...byRow.values()].every((values) => values.size === 1)
}

function columnsOf(known: readonly Known[], matrix: Matrix): MatrixAttribute['columns'] {
  const most = matrix.columns.map((_, at) => mostFrequent(known.filter(({ column }) => column === at)))
  const base = matrix.columns.indexOf(matrix.baselineColumn)
  return most.map((text, at): ColumnAttribute | null => {
    if (text === null) return null
    const own = known.filter(({ column, value }) => column === at && value !== text)
    const except = own.map(({ row, value }) => {
      const of = matrix.rows[row]
      return `${of === undefined ? '' : rowName(of)}: ${value}`
    })
    return {
      text,
      factor: at === base ? null : factorOf(text, most[base] ?? null),
      except: except.slice(0, 3).join(', '),
    }
  })
}

function mostFrequent(known: readonly Known[]): string | null {
  const counts = new Map<string, number>()
  for (const { value } of known) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

function factorOf(text: string, base: string | null): string | null {
  const [own, other] = [readQuantity(text), readQuantity(base ?? '')]
  if (own === null || other === null || own.dimension !== other.dimension) return null
  return other.base === 0 || own.base === other.base
    ? null
    : `×${formatTick(Number((own.base / other.base).toPrecision(3)))}`
}

/** Instances by the labels of a column's runs, those of most of its rows; null: no label. */
export function instancesByColumn(attributes: Pick<MatrixAttributes, 'differing'>, matrix: Matrix): InstancesOf {
  const own = attributes.differing.find(({ name }) => name === 'instances')
  return (column) => {
    const text = own?.columns[matrix.columns.indexOf(column)]?.text ?? ''
    return /^\d+$/.test(text) ? Number(text) : null
  }
}

/** What one instance serves, in the first row with instances known for several columns, if they differ. */
function perInstance(matrix: Matrix, runs: readonly RunRow[]): readonly MatrixAttribute[] {
  const runOf = new Map(runs.map((run) => [run.id, run]))
  const valueOf = (cell: MatrixCell): number | null => {
    const figure = cell.figures.find(({ metric }) => metric.id === 'requests-per-second')
    const instances = Number(runOf.get(cell.runIds[0] ?? '')?.labels['instances'])
    return figure?.value == null || !(instances > 0) || isFailing(cell) ? null : figure.value / instances
  }
  const countOf = (row: MatrixRow) =>
    new Set(
      row.cells.flatMap((cell) => (valueOf(cell) === null ? [] : runOf.get(cell.runIds[0] ?? '')?.labels['instances'])),
    ).size
  const row = matrix.rows.find((one) => countOf(one) > 1)
  if (row === undefined) return []
  const base = row.cells.find(({ column }) => column === matrix.baselineColumn)
  const baseValue = base === undefined ? null : valueOf(base)
  const columns = row.cells.map((cell): ColumnAttribute | null => {
    const value = valueOf(cell)
    if (value === null) return null
    const factor = cell === base || baseValue === null ? null : formatFactor(value / baseValue)
    return { text: formatMetric(value, 'per-second'), factor, except: '' }
  })
  return [{ name: `Req/s per instance, ${rowName(row)}`, columns }]
}
