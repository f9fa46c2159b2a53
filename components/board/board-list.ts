import { seriesNames } from '@/lib/headline/project-headline'
import type { BoardSeries } from '@/lib/board/series'
import type { JudgedState } from '@/lib/run/judged-states'
import type { BoardQuery } from './board-url'

/** Series per page of the board: two and a half screens, each with its last 30 runs drawn. */
export const boardPageSize = 30

/** The part of the board that an address selects. */
export interface BoardPage {
  readonly shown: readonly BoardSeries[]
  /** All series that meet the conditions, in order. */
  readonly found: readonly BoardSeries[]
  /** Series that meet the conditions. */
  readonly count: number
  readonly page: number
  readonly pages: number
}

/** States in the order of attention. */
const attention: readonly JudgedState[] = [
  'failing',
  'worse',
  'unusual',
  'invalid',
  'better',
  'no-history',
  'as-expected',
]

/** A series without a judgement comes last. */
const rankOf = ({ newest }: BoardSeries): number => (newest?.state ? attention.indexOf(newest.state) : attention.length)

const collator = new Intl.Collator('en', { numeric: true })

/** Rank of each word: comparing two in natural order is slow, and there are few different ones. */
function placesOf(words: readonly string[]): (word: string) => number {
  const sorted = [...new Set(words)].sort(collator.compare)
  const places = new Map<string, number>()
  let place = 0
  for (const [at, word] of sorted.entries()) {
    if (at > 0 && collator.compare(sorted[at - 1] ?? '', word) !== 0) place += 1
    places.set(word, place)
  }
  return (word) => places.get(word) ?? 0
}

/** A page of series, ordered and filtered by the address. */
export function pageOfBoard(series: readonly BoardSeries[], query: BoardQuery): BoardPage {
  const words = query.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const textOf = ({ scenario, variant, environment }: BoardSeries) =>
    [scenario, variant, environment].join(' ').toLowerCase()
  const found = series.filter(
    (one) =>
      (query.state === null || one.newest?.state === query.state) && words.every((word) => textOf(one).includes(word)),
  )
  const placeOf = placesOf(
    found.flatMap(({ scenario, variant, environment }) => [scenario, variant ?? '', environment ?? '']),
  )
  const byName = (a: BoardSeries, b: BoardSeries) =>
    placeOf(a.scenario) - placeOf(b.scenario) ||
    placeOf(a.variant ?? '') - placeOf(b.variant ?? '') ||
    placeOf(a.environment ?? '') - placeOf(b.environment ?? '')
  const sorted = [...found].sort((a, b) => (query.order === 'scenario' ? 0 : rankOf(a) - rankOf(b)) || byName(a, b))
  const pages = Math.max(1, Math.ceil(sorted.length / boardPageSize))
  const page = Math.min(query.page, pages)
  const shown = sorted.slice((page - 1) * boardPageSize, page * boardPageSize)
  return { shown, found: sorted, count: sorted.length, page, pages }
}

/** Names of the series on the board, by id. */
export function boardNames(series: readonly BoardSeries[]): ReadonlyMap<string, string> {
  const names = seriesNames(series)
  return new Map(series.map((one, at) => [one.id, names[at] ?? one.scenario]))
}

/** What `LiveRuns` needs of a board: it shows its series' newest runs, and none that is not judged anew by itself. */
export const newestOnBoard = (series: readonly BoardSeries[]) => ({
  query: '',
  newestAt: series.reduce((at, { newest }) => (newest !== null && newest.orderedAt > at ? newest.orderedAt : at), ''),
  waiting: series.flatMap(({ newest }) =>
    newest?.state === null ? [{ id: newest.runId, orderedAt: newest.orderedAt }] : [],
  ),
  known: series.flatMap(({ later }) => later?.runId ?? []),
})
