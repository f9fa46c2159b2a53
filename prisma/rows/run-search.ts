import { z } from 'zod'
import type { RunFilter, RunPageRequest } from '../../lib/stored'
import { Prisma } from '../generated/client'
import type { Db } from './access'
import { findTerms, type FoundTerms, type FoundWords } from './found-terms'
import { runConditions, wantedTerms } from './run-conditions'
import { rawRunRowsSchema, rowColumnsSql, type RawRunRow } from './read-rows'
import { pageParts, type PagePart } from './run-pages'
import { findTimes, spansOf } from './word-spans'

/**
 * What reading costs, in rows that lie side by side: runs of one time do, those of a term or by a figure lie anywhere.
 * Measured with 1,000,000 runs on PostgreSQL 15.
 */
const scatteredRow = 8
const wordEntry = 0.03

const idsSchema = z.array(z.object({ id: z.string() }))

/**
 * A page of a project's live runs in order, at most `wanted`. Walks the index of the sort key, the scenario's
 * where the filter names one, or goes through what the filter asks for where that takes less.
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
  const rows: RawRunRow[] = []
  for (const part of pageParts(request)) {
    const page = { conditions, part, limit: wanted - rows.length }
    if (page.limit === 0) break
    rows.push(...(await readPage(db, projectId, filter, page, plan)))
  }
  return rows
}

type Plan =
  | { readonly kind: 'walk' }
  | { readonly kind: 'walk-list'; readonly list: bigint }
  | { readonly kind: 'gather-list'; readonly list: bigint }
  | { readonly kind: 'walk-words'; readonly words: FoundWords }
  | { readonly kind: 'gather-words'; readonly words: FoundWords }

/** The plan that reads the least when everything is spread evenly, whatever else the filter asks for. */
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
    if (isByTime) plans.push([{ kind: 'walk-words', words }, gathered * part + scatteredRow * mostProbes])
  }
  return plans.reduce((best, one) => (one[1] < best[1] ? one : best))[0]
}

/** A project's history has dozens of spans; looking for words in one that has none takes a few rows' time. */
const spanShare = 1 / 60
const mostProbes = 10

interface Page {
  readonly conditions: readonly Prisma.Sql[]
  readonly part: PagePart
  readonly limit: number
}

async function readPage(
  db: Db,
  projectId: string,
  filter: RunFilter,
  page: Page,
  plan: Plan,
): Promise<readonly RawRunRow[]> {
  if (plan.kind === 'walk') return rawRunRowsSchema.parse(await db.$queryRaw(walkRuns(page)))
  if (plan.kind === 'walk-list') return rawRunRowsSchema.parse(await db.$queryRaw(walkList(page, plan.list)))
  return rowsOf(db, await gatherIds(db, projectId, filter, page, plan))
}

/** Runs by id, in this order. */
async function rowsOf(db: Db, ids: readonly string[]): Promise<readonly RawRunRow[]> {
  if (ids.length === 0) return []
  const rows = rawRunRowsSchema.parse(
    await db.$queryRaw`SELECT ${rowColumnsSql} FROM run AS r WHERE r.id = ANY(${[...ids]}::text[])`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** What is sorted is sorted by its ids alone: whole rows would be copied for it. */
async function gatherIds(
  db: Db,
  projectId: string,
  filter: RunFilter,
  page: Page,
  plan: Exclude<Plan, { readonly kind: 'walk' | 'walk-list' }>,
): Promise<readonly string[]> {
  const read = async (query: Prisma.Sql) => idsSchema.parse(await db.$queryRaw(query)).map((row) => row.id)
  if (plan.kind === 'gather-list') return read(gatherList(page, plan.list))
  if (plan.kind === 'gather-words') return read(gatherWords(page, plan.words.lists))
  const ids: string[] = []
  const times = await findTimes(db, projectId, filter, page.part)
  for (const lists of spansOf(plan.words, times, page.part.direction, page.limit)) {
    ids.push(...(await read(gatherWords({ ...page, limit: page.limit - ids.length }, lists))))
    if (ids.length === page.limit) break
  }
  return ids
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
function gatherList({ conditions, part, limit }: Page, list: bigint): Prisma.Sql {
  return Prisma.sql`
    WITH candidate AS MATERIALIZED (SELECT run_id FROM run_term WHERE term_id = ${list})
    SELECT r.id FROM candidate JOIN run AS r ON r.id = candidate.run_id
    WHERE ${and([...conditions, ...part.where])} ORDER BY ${part.orderBy} LIMIT ${limit}`
}

/** All runs that are in one of each of the lists of words, sorted. */
function gatherWords({ conditions, part, limit }: Page, lists: FoundWords['lists']): Prisma.Sql {
  const words = lists.map(
    (some) => Prisma.sql`word_lists(project_id, search_text, ordered_at) && ${[...some]}::bigint[]`,
  )
  // OFFSET 0 keeps the sort key away from the planner, which would walk its index instead.
  return Prisma.sql`
    SELECT r.id FROM (SELECT * FROM run WHERE ${and(words)} AND deleted_at IS NULL OFFSET 0) AS r
    WHERE ${and([...conditions, ...part.where])} ORDER BY ${part.orderBy} LIMIT ${limit}`
}
