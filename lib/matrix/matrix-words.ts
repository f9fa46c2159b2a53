import { formatFactor, formatPercent, formatTick, roundChange, roundChangeWords } from '../format'
import { sayableOf, type Delta } from '../judge/delta'
import { sentenceLabel, type Metric } from '../run/metrics'
import { joinWords } from '../text'
import { fieldWords, labelKey } from './matrix-field'
import { isFailing, type CellFigure, type Matrix, type MatrixCell, type MatrixRow } from './matrix'

/** Number of instances that serve a column; null: unknown. */
export type InstancesOf = (column: string) => number | null

/** Cells of one row with one base, compared with each other. */
interface Contest {
  readonly row: MatrixRow
  readonly baseColumn: string
  readonly cells: readonly ComparedCell[]
  readonly winner: ComparedCell | null
  /** Whether the winner is ahead by more than possible noise. */
  readonly isShown: boolean
}

interface ComparedCell {
  readonly cell: MatrixCell
  readonly figure: CellFigure
}

const maxNamed = 3

/** The title of a row: its name, and what distinguishes it from others of that name. */
export const rowName = ({ name, others }: MatrixRow): string =>
  [name, ...others.map(({ field, value }) => value ?? `no ${field}`)].join(' · ')

/** A matrix in one sentence: what fails, then who leads and in how many rows. Without a full stop. */
export function matrixSentence(matrix: Matrix, instancesOf: InstancesOf): string {
  const parts = [...failureParts(matrix), ...leadParts(matrix, instancesOf)]
  return parts.length > 0 ? initial(parts.join('; ')) : 'Nothing to compare: no row has two cells of one figure'
}

/** How reliable that is, as a sentence without a full stop; null: nothing to add. */
export function matrixCaution(matrix: Matrix): string | null {
  const deltas = matrix.rows.flatMap(({ cells }) =>
    cells.flatMap(({ figures }) => figures.flatMap((one) => one.delta ?? [])),
  )
  const told = deltas.filter(({ reason }) => reason === null)
  const isSingle = told.length > 0 && told.every(({ method }) => method === 'none')
  const fails = matrix.rows.every(({ cells }) => cells.every((cell) => cell.runIds.length === 0 || isFailing(cell)))
  return isSingle && !fails ? 'One run per cell: a difference below ×1.5 may be noise' : null
}

/** How a column compares with its base, or as the base with the others. Without a full stop; null: nothing to state. */
export function columnSentence(matrix: Matrix, column: string, instancesOf: InstancesOf): string | null {
  const own = matrix.rows.flatMap((row) => {
    const cell = row.cells.find((one) => one.column === column)
    return cell === undefined ? [] : [{ row, cell }]
  })
  const filled = own.filter(({ cell }) => cell.runIds.length > 0)
  const isBase = matrix.baseColumns.includes(column)
  const parts = [
    failureWords(filled),
    ...(isBase ? [rankWords(matrix, column)] : changeParts(matrix, filled, instancesOf)),
    isBase ? aloneWords(matrix, filled) : missingWords(own),
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : capital(parts.join('; '))
}

/** Metrics keep their names; a plain verb or adverb at the start is capitalised. */
const capital = (text: string): string =>
  /^(?:p\d|×)/.test(text) ? text : `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`

/** Names of columns at the start of a sentence stay as written. */
const initial = (text: string): string => text.replace(/^(?:every|no) /, capital)

function failureParts(matrix: Matrix): readonly string[] {
  const failing = matrix.rows.flatMap((row) =>
    row.cells.filter(isFailing).map((cell) => ({ row, cell, words: formatPercent(cell.errorRatio) })),
  )
  const filled = matrix.rows.flatMap(({ cells }) => cells.filter(({ runIds }) => runIds.length > 0))
  const [first, ...more] = failing
  if (first === undefined) return []
  if (failing.length === filled.length && failing.every(({ words }) => words === first.words))
    return [
      first.cell.errorRatio === 1
        ? 'every request failed in every cell'
        : `${first.words} of requests failed in every cell`,
    ]
  const named = (failing.length > 2 ? [first] : failing).map(
    ({ row, cell, words }) =>
      `${cell.column} fails ${words} of requests${matrix.rows.length > 1 ? ` on ${rowName(row)}` : ''}`,
  )
  return [`${named.join(', ')}${failing.length > 2 ? `, and ${more.length} more cells fail` : ''}`]
}

/** Who leads, in the first figure that has a leader. */
function leadParts(matrix: Matrix, instancesOf: InstancesOf): readonly string[] {
  for (const metric of metricsOf(matrix)) {
    const contests = contestsOf(matrix, metric)
    const won = contests.filter(({ winner }) => winner !== null)
    if (won.length === 0) continue
    const [only] = won
    if (only !== undefined && contests.length === 1) return [duelWords(only, metric, instancesOf)]
    return [countWords(matrix, contests, metric, instancesOf)]
  }
  const [metric] = metricsOf(matrix)
  const contests = metric === undefined ? [] : contestsOf(matrix, metric)
  if (metric === undefined || contests.length === 0) return []
  const deltas = contests.flatMap(({ cells }) => cells.flatMap(({ figure }) => figure.delta ?? []))
  return [
    deltas.every(({ reason }) => reason !== null)
      ? noVerdict(metric, deltas)
      : `no cell leads its row in ${metric.shortLabel}`,
  ]
}

/** `no verdict on Req/s: the run lasted 391 ms`; if reasons differ, none is named. */
function noVerdict(metric: Metric, deltas: readonly Pick<Delta, 'reason'>[]): string {
  const [reason, ...others] = new Set(deltas.map((delta) => delta.reason))
  return `no verdict on ${sentenceLabel(metric)}${reason == null || others.length > 0 ? '' : `: ${reason}`}`
}

/** One row: the winner compared with the base, or the base with the others. */
function duelWords({ cells, winner, baseColumn, isShown }: Contest, metric: Metric, instancesOf: InstancesOf): string {
  const doubt = isShown ? '' : ', which may be noise'
  if (winner === null) return ''
  const [other, ...more] = cells.filter(({ cell }) => cell.column !== baseColumn)
  const isBase = winner.cell.column === baseColumn
  const said = isBase ? (more.length === 0 ? other : undefined) : winner
  if (said?.figure.delta == null) return `${winner.cell.column} ${superlative(metric, cells.length)}${doubt}`
  const cost = costWords(said.cell.column, baseColumn, instancesOf)
  return `${said.cell.column} ${besideWords(said.figure.delta, metric, baseColumn)}${cost === null ? '' : `, ${cost}`}${doubt}`
}

/** Several rows: who leads in how many, and any others that lead in some. */
function countWords(matrix: Matrix, contests: readonly Contest[], metric: Metric, instancesOf: InstancesOf): string {
  const wins = new Map<string, Contest[]>()
  for (const contest of contests) {
    const { winner } = contest
    if (winner !== null) wins.set(winner.cell.column, [...(wins.get(winner.cell.column) ?? []), contest])
  }
  const ranked = [...wins].sort(([, a], [, b]) => b.length - a.length)
  const [[first, own] = ['', []], ...others] = ranked
  const columns = [...new Set(contests.flatMap(({ cells }) => cells.map(({ cell }) => cell.column)))]
  const [other] = columns.filter((column) => column !== first)
  const cost = columns.length === 2 && other !== undefined ? costWords(first, other, instancesOf) : null
  const doubt = (of: readonly Contest[]) => (of.some(({ isShown }) => isShown) ? '' : ' (may be noise)')
  // Other operations have their own bases and rows.
  const sizeOf = (of: readonly Contest[]) =>
    contests.filter(({ baseColumn }) => of.some((one) => one.baseColumn === baseColumn)).length
  const most = Math.max(...contests.map(({ cells }) => cells.length))
  const head = `${first} ${superlative(metric, most)} in ${own.length} of ${sizeOf(own)} ${rowsWord(matrix)}${doubt(own)}`
  const rest = others.slice(0, maxNamed - 1).map(([column, of]) => {
    const [only, ...more] = of
    const factor = more.length === 0 && only?.isShown === true ? (only.winner?.figure.delta?.factor ?? null) : null
    const size = matrix.baseColumns.length > 1 ? ` of ${sizeOf(of)}` : ''
    return `${column} in ${of.length}${size}${factor === null ? doubt(of) : ` (${formatFactor(factor)})`}`
  })
  return [`${head}${cost === null ? '' : `, ${cost}`}`, ...rest].join('; ')
}

/** `scenarios`; rows by a label have no noun of their own. */
const rowsWord = ({ rowsBy }: Matrix): string => (labelKey(rowsBy) === null ? fieldWords(rowsBy) : 'rows')

const isRate = ({ id }: Metric): boolean => id === 'requests-per-second'

function superlative(metric: Metric, of: number): string {
  const isHigher = metric.direction === 'higher-is-better'
  if (isRate(metric)) return of > 2 ? 'serves the most requests' : 'serves more requests'
  const word = isHigher ? (of > 2 ? 'highest' : 'higher') : of > 2 ? 'lowest' : 'lower'
  return `has the ${word} ${sentenceLabel(metric)}`
}

/** `serves ×2.03 the requests of B`, `has a p99 28 % higher than B`. */
function besideWords(delta: Delta, metric: Metric, base: string): string {
  const ratio = delta.changeRatio ?? 0
  if (isRate(metric)) {
    if (ratio >= 1) return `serves ${formatFactor(delta.factor)} the requests of ${base}`
    return `serves ${shortWords(delta, metric)} than ${base}`
  }
  const words = roundChangeWords(ratio)
  return `has a ${sentenceLabel(metric)} ${words} ${words.endsWith('as high') ? 'as' : 'than'} ${base}`
}

/** `×2.03 the requests`, `25 % fewer requests`, `p99 28 % higher`, in three parts. */
function partsOf(
  delta: Delta,
  metric: Metric,
): { readonly head: string; readonly size: string; readonly tail: string } {
  const ratio = delta.changeRatio ?? 0
  if (isRate(metric)) {
    if (ratio >= 1) return { head: '', size: formatFactor(delta.factor), tail: ' the requests' }
    const size = roundChange(Math.abs(ratio)).replace('+', '')
    return { head: '', size, tail: ratio < 0 ? ' fewer requests' : ' more requests' }
  }
  const [size = '', tail = ''] = roundChangeWords(ratio).split(/(?= (?:higher|lower|as high)$)/)
  return { head: `${sentenceLabel(metric)} `, size, tail }
}

const shortWords = (delta: Delta, metric: Metric): string => {
  const { head, size, tail } = partsOf(delta, metric)
  return `${head}${size}${tail}`
}

/** `25 % to 31 % fewer requests`. */
function spanWords(least: Delta, most: Delta, metric: Metric): string {
  const [from, to] = [partsOf(least, metric), partsOf(most, metric)]
  if (from.tail !== to.tail) return `${shortWords(least, metric)} to ${shortWords(most, metric)}`
  return from.size === to.size ? shortWords(least, metric) : `${from.head}${from.size} to ${to.size}${to.tail}`
}

function metricsOf(matrix: Matrix): readonly Metric[] {
  const [first] = matrix.rows.flatMap(({ cells }) => cells.filter(({ figures }) => figures.length > 0))
  return first?.figures.map(({ metric }) => metric) ?? []
}

/** Cells that failed too much are not compared. */
function contestsOf(matrix: Matrix, metric: Metric): readonly Contest[] {
  return matrix.rows.flatMap((row) =>
    matrix.baseColumns.flatMap((baseColumn): Contest[] => {
      const cells = row.cells.flatMap((cell): ComparedCell[] => {
        const figure = cell.figures.find((one) => one.metric.id === metric.id)
        return cell.baseColumn !== baseColumn || figure?.value == null || isFailing(cell) ? [] : [{ cell, figure }]
      })
      if (cells.length < 2) return []
      const winner = cells.find(({ figure }) => figure.leads) ?? null
      return [{ row, baseColumn, cells, winner, isShown: winner?.figure.best === true }]
    }),
  )
}

const shares: readonly (readonly [value: number, words: string])[] = [
  [1 / 2, 'half of'],
  [1 / 3, 'a third of'],
  [1 / 4, 'a quarter of'],
  [1 / 5, 'a fifth of'],
  [1 / 10, 'a tenth of'],
]

/** `on ×5 the instances`, `on a fifth of the instances`; null: equal, or unknown. */
function costWords(column: string, beside: string, instancesOf: InstancesOf): string | null {
  const [own, other] = [instancesOf(column), instancesOf(beside)]
  if (own === null || other === null || own === other || other === 0) return null
  const factor = own / other
  const share = shares.find(([value]) => Math.abs(value - factor) < 0.01)
  return `on ${share === undefined ? `×${formatTick(Number(factor.toPrecision(3)))}` : share[1]} the instances`
}

type Placed = readonly { readonly row: MatrixRow; readonly cell: MatrixCell }[]

/** `fails 14.3 % of requests on A`, `fails in 3 of 4`. */
function failureWords(filled: Placed): string | null {
  const failing = filled.filter(({ cell }) => isFailing(cell))
  const [first] = failing
  if (first === undefined) return null
  const words =
    first.cell.errorRatio === 1 ? 'fails every request' : `fails ${formatPercent(first.cell.errorRatio)} of requests`
  if (filled.length === 1) return words
  return failing.length === 1 ? `${words} on ${rowName(first.row)}` : `fails in ${failing.length} of ${filled.length}`
}

/** The number of rows in which the base leads. */
function rankWords(matrix: Matrix, column: string): string | null {
  for (const metric of metricsOf(matrix)) {
    const contests = contestsOf(matrix, metric).filter(({ baseColumn }) => baseColumn === column)
    if (!contests.some(({ winner }) => winner !== null)) continue
    const wins = contests.filter(({ winner }) => winner?.cell.column === column)
    const won = wins.length
    const most = Math.max(...contests.map(({ cells }) => cells.length))
    if (won === 0) return null
    const words = superlative(metric, most).replace(/^(?:serves|has) (?:the )?/, '')
    const doubtful = wins.filter(({ isShown }) => !isShown).length
    const doubt =
      doubtful === 0 ? '' : doubtful === won ? ', which may be noise' : `, ${doubtful} of which may be noise`
    return `${words}${contests.length === 1 ? '' : ` in ${won} of ${contests.length}`}${doubt}`
  }
  return null
}

/** Rows in which no other column has a run. */
function aloneWords(matrix: Matrix, filled: Placed): string | null {
  if (matrix.columns.length < 2) return null
  const alone = filled.filter(({ row, cell }) => row.cells.every((one) => one === cell || one.runIds.length === 0))
  if (alone.length === 0 || alone.length === filled.length) return null
  return alone.length > 2
    ? `the only one in ${alone.length} more`
    : `the only one with ${joinWords(
        alone.map(({ row }) => rowName(row)),
        'and',
      )}`
}

/** Compared with the base: what is shown, row by row, then what may be noise, combined, and what it costs. */
function changeParts(matrix: Matrix, filled: Placed, instancesOf: InstancesOf): readonly string[] {
  const metrics = metricsOf(matrix)
  const leading = metrics.find((one) =>
    matrix.rows.some(({ cells }) =>
      cells.some(({ figures }) => figures.some((figure) => figure.metric.id === one.id && figure.leads)),
    ),
  )
  const metric = leading ?? metrics[0]
  const [cell] = filled.map((one) => one.cell)
  if (metric === undefined || cell === undefined) return []
  const compared = filled.flatMap(({ row, cell }) => {
    const delta = cell.figures.find((one) => one.metric.id === metric.id)?.delta ?? null
    const base = row.cells.find((one) => one.column === cell.baseColumn)
    if (delta === null || delta.changeRatio === null || isFailing(cell) || base === undefined || isFailing(base))
      return []
    return [{ row, delta, said: sayableOf(delta, metric) }]
  })
  const barred = compared.filter(({ delta }) => delta.reason !== null).map(({ delta }) => delta)
  const known = leading === undefined ? [] : compared.filter(({ delta }) => delta.reason === null)
  const shown = known.filter(({ said }) => said !== null)
  const doubtful = known.filter(({ said, delta }) => said === null && delta.leaning !== null)
  const level = known.length - shown.length - doubtful.length
  const cost = costWords(cell.column, cell.baseColumn, instancesOf)
  const isOnly = compared.length === 1
  const parts = [
    groupWords(shown, metric, isOnly),
    doubtful.length === 0 ? null : `${groupWords(doubtful, metric, isOnly) ?? ''}, which may be noise`,
    level === 0 ? null : isOnly ? `${metric.shortLabel} no different` : `no different in ${level}`,
    barred.length === 0 ? null : isOnly ? noVerdict(metric, barred) : `no verdict in ${barred.length}`,
  ].filter((part) => part !== null)
  if (cost === null) return parts
  const [first, ...others] = parts
  return shown.length > 0 && first !== undefined ? [`${first}, ${cost}`, ...others] : [...parts, cost]
}

type Known = readonly { readonly row: MatrixRow; readonly delta: Delta }[]

/** Few rows by name, more of them as a range; each direction separately. */
function groupWords(known: Known, metric: Metric, isOnly: boolean): string | null {
  if (known.length === 0) return null
  const ratioOf = ({ delta }: Known[number]) => delta.changeRatio ?? 0
  const groups = [known.filter((one) => ratioOf(one) > 0), known.filter((one) => ratioOf(one) < 0)]
  return groups
    .flatMap((group) => {
      const sorted = [...group].sort((a, b) => Math.abs(ratioOf(a)) - Math.abs(ratioOf(b)))
      const [least, most] = [sorted[0], sorted.at(-1)]
      if (least === undefined || most === undefined) return []
      const names = joinWords(
        group.map(({ row }) => rowName(row)),
        'and',
      )
      const where = isOnly ? '' : group.length < maxNamed ? ` on ${names}` : ` in ${group.length}`
      return [`${spanWords(least.delta, most.delta, metric)}${where}`]
    })
    .join(', ')
}

/** Rows that others have and this column lacks, with the reason if there is one. */
function missingWords(own: Placed): string | null {
  const empty = own.filter(
    ({ row, cell }) => cell.runIds.length === 0 && row.cells.some(({ runIds }) => runIds.length > 0),
  )
  const [only] = empty
  if (only === undefined || empty.length === own.length) return null
  if (empty.length > 2) return `no run in ${empty.length} of ${own.length}`
  const why = empty.length === 1 && only.cell.note !== null ? ` (${only.cell.note})` : ''
  return `no run of ${joinWords(
    empty.map(({ row }) => rowName(row)),
    'and',
  )}${why}`
}
