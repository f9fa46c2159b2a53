import type { RunFilter, RunPageRequest } from '../../lib/history/run-list'
import { Prisma } from '../generated/client'
import type { Db } from '../statements/access'
import { rawRunRowsSchema, rowColumnsSql, type RawRunRow } from '../statements/read-rows'
import { findTerms, type FoundTerms, type FoundWords } from './found-terms'
import { runConditions, wantedTerms } from './run-conditions'
import { pageParts, wholePart, type PagePart } from './run-pages'
import { findTimes, spansOf } from './word-spans'

/**
 * What reading costs, in rows that are adjacent on disk: runs of one time are; those of a term or by a figure are
 * scattered. Measured with 1,000,000 runs on PostgreSQL 15.
 */
const scatteredRow = 8
const wordEntry = 0.03

/**
 * A page of a project's live runs in order, at most `wanted`. Walks the index of the sort key (of the scenario, if the
 * filter names one), or reads all matches of the filter when that costs less.
 */
export async function findPage(
  db: Db,
  projectId: string,
  filter: RunFilter,
  request: RunPageRequest,
  wanted: number,
): Promise<readonly RawRunRow[]> {
  const found = await findTerms(db, projectId, wantedTerms(filter))
  if (found === null) return []
  const plan = cheapestPlan(found, request.sort === 'time', wanted)
  const conditions = [
    Prisma.sql`r.project_id = ${projectId}`,
    Prisma.sql`r.deleted_at IS NULL`,
    ...runConditions(filter),
  ]
  if (plan.kind === 'walk' || plan.kind === 'walk-list') {
    // The index of time has the figures: runs out of range are skipped there, if the filter has no other condition.
    const isRanged = filter.range !== undefined
    const walk = (page: Page) =>
      plan.kind === 'walk-list'
        ? walkList(page, plan.list)
        : isRanged
          ? rowsOf(page, Prisma.sql`run AS r`)
          : walkRuns(page)
    const rows: RawRunRow[] = []
    for (const part of pageParts(request, filter.state)) {
      const page = { conditions, part, limit: wanted - rows.length }
      if (page.limit === 0) break
      rows.push(...(await read(db, walk(page))))
    }
    return rows
  }
  const page = { conditions, part: wholePart(request, filter.state), limit: wanted }
  if (plan.kind === 'gather-list') return read(db, gatherList(page, plan.list))
  if (plan.kind === 'gather-words') return read(db, gatherWords(page, plan.words.lists))
  return walkWords(db, projectId, filter, page, plan.words)
}

const read = async (db: Db, query: Prisma.Sql) => rawRunRowsSchema.parse(await db.$queryRaw(query))

type Plan =
  | { readonly kind: 'walk' }
  | { readonly kind: 'walk-list'; readonly list: bigint }
  | { readonly kind: 'gather-list'; readonly list: bigint }
  | { readonly kind: 'walk-words'; readonly words: FoundWords }
  | { readonly kind: 'gather-words'; readonly words: FoundWords }

/** The plan that reads the fewest rows if everything is spread evenly, whatever else the filter has. */
function cheapestPlan({ listed, words, all, ofScenario }: FoundTerms, isByTime: boolean, wanted: number): Plan {
  const shareOf = (runs: number) => Math.max(1e-9, Math.min(1, runs / Math.max(1, all)))
  const shareOfAll = [...listed, ...(words === null ? [] : [words])].reduce((some, { runs }) => some * shareOf(runs), 1)
  const othersOf = (runs: number) => (shareOfAll / shareOf(runs)) * shareOf(ofScenario)
  const walkedRow = isByTime && ofScenario === all ? 1 : scatteredRow
  const plans: (readonly [Plan, number])[] = [[{ kind: 'walk' }, Math.min(ofScenario, wanted / shareOfAll) * walkedRow]]
  for (const { list, runs } of listed) {
    const rows = isByTime ? Math.min(runs, wanted / othersOf(runs)) : runs
    plans.push([{ kind: isByTime ? 'walk-list' : 'gather-list', list }, rows * scatteredRow])
  }
  if (words !== null) {
    const gathered = words.runs * scatteredRow + words.runsOfRarest * wordEntry
    plans.push([{ kind: 'gather-words', words }, gathered])
    // Reads about twice what it needs, and at least a span.
    const part = Math.min(1, (2 * wanted) / Math.max(1, words.runs * othersOf(words.runs)) + spanShare)
    if (isByTime) plans.push([{ kind: 'walk-words', words }, gathered * part + scatteredRow * maxProbes])
  }
  return plans.reduce((best, one) => (one[1] < best[1] ? one : best))[0]
}

/** A project's history has dozens of spans; searching words in an empty one costs as much as a few rows. */
const spanShare = 1 / 60
const maxProbes = 10

interface Page {
  readonly conditions: readonly Prisma.Sql[]
  readonly part: PagePart
  readonly limit: number
}

/** By time, the words' runs span by span until there are enough. */
async function walkWords(db: Db, projectId: string, filter: RunFilter, page: Page, words: FoundWords) {
  const rows: RawRunRow[] = []
  const times = await findTimes(db, projectId, filter, page.part)
  for (const lists of spansOf(words, times, page.part.direction, page.limit)) {
    rows.push(...(await read(db, gatherWords({ ...page, limit: page.limit - rows.length }, lists))))
    if (rows.length === page.limit) break
  }
  return rows
}

const and = (conditions: readonly Prisma.Sql[]) => Prisma.join([...conditions], ' AND ')

/** In the order of the sort key's index, until there are enough. */
function walkRuns({ conditions, part, limit }: Page): Prisma.Sql {
  return Prisma.sql`
    SELECT ${rowColumnsSql} FROM run AS r WHERE ${and([...conditions, ...part.where])} ORDER BY ${part.orderBy} LIMIT ${limit}`
}

/** By time, the list's runs until there are enough. */
function walkList({ conditions, part, limit }: Page, list: bigint): Prisma.Sql {
  const direction = part.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const after = part.after === null ? Prisma.empty : Prisma.sql`AND (t.ordered_at, t.run_id) ${part.after}`
  return Prisma.sql`
    SELECT ${rowColumnsSql} FROM run_term AS t JOIN run AS r ON r.id = t.run_id
    WHERE t.term_id = ${list} ${after} AND ${and(conditions)}
    ORDER BY t.ordered_at ${direction}, t.run_id ${direction} LIMIT ${limit}`
}

/** All runs of the list, sorted. */
function gatherList(page: Page, list: bigint): Prisma.Sql {
  return Prisma.sql`
    WITH candidate AS MATERIALIZED (SELECT run_id FROM run_term WHERE term_id = ${list})
    ${rowsOf(page, Prisma.sql`candidate JOIN run AS r ON r.id = candidate.run_id`)}`
}

/** All runs that are in one of each of the lists of words, sorted. */
function gatherWords(page: Page, lists: FoundWords['lists']): Prisma.Sql {
  const words = lists.map(
    (some) => Prisma.sql`word_lists(project_id, search_text, ordered_at) && ${[...some]}::bigint[]`,
  )
  // OFFSET 0 hides the sort key from the planner, which would walk its index instead.
  return rowsOf(page, Prisma.sql`(SELECT * FROM run WHERE ${and(words)} AND deleted_at IS NULL OFFSET 0) AS r`)
}

/** A page of the runs `r`. Sorts only ids: sorting would copy whole rows. */
function rowsOf({ conditions, part, limit }: Page, runs: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT ${rowColumnsSql} FROM (
      SELECT r.id FROM ${runs} WHERE ${and([...conditions, ...part.where])} ORDER BY ${part.orderBy} LIMIT ${limit}
    ) AS page JOIN run AS r ON r.id = page.id ORDER BY ${part.orderBy}`
}
