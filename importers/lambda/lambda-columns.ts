/** What a column of a Lambda table holds. */
export type LambdaField =
  'duration' | 'billed' | 'init' | 'restore' | 'billed-restore' | 'max-memory-used' | 'memory-size' | 'invocations'

/** Which statistic the header says a duration is: a mean, a minimum, a quantile …; null when it does not. */
export type Statistic = { readonly kind: 'mean' | 'min' | 'max' } | { readonly kind: 'quantile'; readonly q: number }

/** One column that is read. `unit`: of the header (`ms`, `MB`), null when the cells must say. */
export interface LambdaColumn {
  readonly index: number
  readonly field: LambdaField
  readonly statistic: Statistic | null
  readonly unit: string | null
}

/** The columns of a table's header. */
export interface LambdaColumns {
  readonly columns: readonly LambdaColumn[]
  /** The column of names: the first that holds no field. Null when every column is a field. */
  readonly name: number | null
  /** Headers of further columns. */
  readonly unread: readonly string[]
  readonly width: number
}

const fieldNames: readonly (readonly [field: LambdaField, name: RegExp])[] = [
  ['billed-restore', /^billed restore(?: duration| time)?$/],
  ['billed', /^(?:billed(?: duration| time)?|billing duration)$/],
  ['init', /^(?:init|initiali[sz]ation)(?: duration| time)?$/],
  ['restore', /^restore(?: duration| time)?$/],
  ['max-memory-used', /^(?:(?:max|maximum|peak) memory(?: used| usage)?|memory used|used memory|memory usage)$/],
  ['memory-size', /^(?:memory size|memory|configured memory|allocated memory|memory configured)$/],
  ['invocations', /^(?:invocations|requests|count|samples|n|runs|number of (?:invocations|requests))$/],
  ['duration', /^(?:(?:lambda |execution |invocation |function |warm |cold )?duration|execution time)$/],
]
const statistics: readonly (readonly [name: RegExp, statistic: Statistic])[] = [
  [/^(?:avg|average|mean)$/, { kind: 'mean' }],
  [/^(?:min|minimum)$/, { kind: 'min' }],
  [/^(?:max|maximum)$/, { kind: 'max' }],
  [/^median$/, { kind: 'quantile', q: 0.5 }],
]

/** Reads a table's header. Null: these are not Lambda figures (no Duration beside a figure only Lambda has). */
export function readHeader(cells: readonly string[]): LambdaColumns | null {
  if (cells.length > 60) return null
  const columns = cells.flatMap((cell, index) => readColumn(cell, index) ?? [])
  const has = (...fields: readonly LambdaField[]) => columns.some(({ field }) => fields.includes(field))
  if (!has('duration') || !has('billed', 'init', 'max-memory-used', 'memory-size')) return null
  // "Memory" alone is in any benchmark's table: then the name of the duration must be Lambda's.
  if (!has('billed', 'init') && !cells.some((cell) => /lambda|max(?:imum)? memory used|invocation/i.test(cell)))
    return null
  const others = cells.flatMap((_, index) => (columns.some((column) => column.index === index) ? [] : [index]))
  const [name = null, ...unread] = others
  return { columns, name, unread: unread.flatMap((index) => cells[index] || []), width: cells.length }
}

function readColumn(cell: string, index: number): LambdaColumn | null {
  const unit = /[[(]\s*([a-zµμ]{1,12})\s*[\])]|[,/]\s*([a-zµμ]{1,3})$|\bin ([a-zµμ]{1,12})$/i.exec(cell)
  const name = (unit === null ? cell : cell.replace(unit[0], ' '))
    .toLowerCase()
    .replace(/[[({][^\])}]{0,60}[\])}]/g, ' ')
    .replace(/[_:.-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const unitText = unit?.[1] ?? unit?.[2] ?? unit?.[3] ?? null
  const plain = findField(name)
  if (plain !== null) return { index, field: plain, statistic: null, unit: unitText }
  const [first = '', ...rest] = name.split(' ')
  const field = findField(rest.join(' '))
  const statistic = readStatistic(first)
  return field === null || statistic === null ? null : { index, field, statistic, unit: unitText }
}

function findField(name: string): LambdaField | null {
  return fieldNames.find(([, pattern]) => pattern.test(name))?.[0] ?? null
}

function readStatistic(word: string): Statistic | null {
  const percent = /^p(\d{2})(\d{0,2})$/.exec(word)
  if (percent) return { kind: 'quantile', q: Number(`0.${percent[1] ?? ''}${percent[2] ?? ''}`) }
  return statistics.find(([pattern]) => pattern.test(word))?.[1] ?? null
}
