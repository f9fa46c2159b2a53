import { z } from 'zod'
import type { RunFilter, RunPageRequest } from '../../lib/stored'
import { Prisma } from '../generated/client'
import type { Db } from './access'
import { runConditions, wantedTerms, type WantedTerm } from './run-conditions'
import { pageParts, type PagePart } from './run-pages'

/** Beyond these a beginning of words is too common to go by: the runs are walked and looked at one by one. */
const mostWords = 500

/** The live runs of a wanted term that is in run_term, in the order of time; or of all wanted words, in their index. */
type FoundTerm = (
  | { readonly kind: 'listed'; readonly list: bigint }
  /** For each word its list, and those of other words that begin so. */
  | { readonly kind: 'words'; readonly lists: readonly (readonly bigint[])[] }
) & {
  /** How many; of words an estimate. */
  readonly runs: number
  /** Rows that finding them takes beside those that are read. */
  readonly overhead: number
}

/** An entry of the index of words takes this part of the time of a row. */
const rowsPerEntry = 0.03

const idsSchema = z.array(z.object({ id: z.string() }))

/**
 * The ids of a page of a project's live runs in order, at most `wanted`. Walks the index of the sort key, the scenario's
 * where the filter names one, or goes through a term of the filter when that takes fewer rows.
 */
export async function findPageIds(
  db: Db,
  projectId: string,
  filter: RunFilter,
  request: RunPageRequest,
  wanted: number,
): Promise<readonly string[]> {
  const found = await findTerms(db, projectId, wantedTerms(filter))
  if (found === null) return []
  const plan = cheapestPlan(found, request.sort === 'time', wanted)
  const conditions = [
    Prisma.sql`r.project_id = ${projectId}`,
    Prisma.sql`r.deleted_at IS NULL`,
    ...runConditions(filter),
  ]
  const ids: string[] = []
  for (const part of pageParts(request)) {
    const limit = wanted - ids.length
    if (limit === 0) break
    const page = { conditions, part, limit }
    const query =
      plan.kind === 'walk'
        ? walkRuns(page)
        : plan.kind === 'walk-term'
          ? walkTerm(page, plan.list)
          : gatherTerm(page, plan.term)
    ids.push(...idsSchema.parse(await db.$queryRaw(query)).map((row) => row.id))
  }
  return ids
}

type Plan =
  | { readonly kind: 'walk' }
  | { readonly kind: 'walk-term'; readonly list: bigint }
  | { readonly kind: 'gather-term'; readonly term: FoundTerm }

/** The plan that reads the fewest rows when terms are spread evenly, whatever else the filter asks for. */
function cheapestPlan({ terms, all, ofScenario }: FoundTerms, isByTime: boolean, wanted: number): Plan {
  const shareOf = (runs: number) => Math.max(1e-9, Math.min(1, runs / Math.max(1, all)))
  const shareOfAll = terms.reduce((product, { runs }) => product * shareOf(runs), 1)
  let best: Plan = { kind: 'walk' }
  let fewest = Math.min(ofScenario, wanted / shareOfAll)
  for (const term of terms) {
    const others = (shareOfAll / shareOf(term.runs)) * shareOf(ofScenario)
    const canWalk = isByTime && term.kind === 'listed'
    const rows = term.overhead + (canWalk ? Math.min(term.runs, wanted / others) : term.runs)
    if (rows >= fewest) continue
    fewest = rows
    best = canWalk ? { kind: 'walk-term', list: term.list } : { kind: 'gather-term', term }
  }
  return best
}

interface Page {
  readonly conditions: readonly Prisma.Sql[]
  readonly part: PagePart
  readonly limit: number
}

const and = (conditions: readonly Prisma.Sql[]) => Prisma.join([...conditions], ' AND ')

/** In the order of the sort key's index, until there are enough. */
function walkRuns({ conditions, part, limit }: Page): Prisma.Sql {
  return Prisma.sql`
    SELECT r.id FROM run AS r WHERE ${and([...conditions, ...part.where])} ORDER BY ${part.orderBy} LIMIT ${limit}`
}

/** By time, the term's runs until there are enough. */
function walkTerm({ conditions, part, limit }: Page, list: bigint): Prisma.Sql {
  const direction = part.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const after = part.after === null ? Prisma.empty : Prisma.sql`AND (t.ordered_at, t.run_id) ${part.after}`
  return Prisma.sql`
    SELECT t.run_id AS id FROM run_term AS t JOIN run AS r ON r.id = t.run_id
    WHERE t.term_id = ${list} ${after} AND ${and(conditions)}
    ORDER BY t.ordered_at ${direction}, t.run_id ${direction} LIMIT ${limit}`
}

/** All runs of the term, sorted. */
function gatherTerm({ conditions, part, limit }: Page, term: FoundTerm): Prisma.Sql {
  const where = and([...conditions, ...part.where])
  if (term.kind === 'listed')
    return Prisma.sql`
      WITH candidate AS MATERIALIZED (SELECT run_id FROM run_term WHERE term_id = ${term.list})
      SELECT r.id FROM candidate JOIN run AS r ON r.id = candidate.run_id
      WHERE ${where} ORDER BY ${part.orderBy} LIMIT ${limit}`
  const words = term.lists.map((lists) => Prisma.sql`word_lists(project_id, search_text) && ${[...lists]}::bigint[]`)
  // OFFSET 0 keeps the sort key away from the planner, which would walk its index instead.
  return Prisma.sql`
    SELECT r.id FROM (
      SELECT * FROM run WHERE ${and(words)} AND deleted_at IS NULL OFFSET 0
    ) AS r WHERE ${where} ORDER BY ${part.orderBy} LIMIT ${limit}`
}

interface FoundTerms {
  /** Those that can be gone by: a beginning of too many words is left out. */
  readonly terms: readonly FoundTerm[]
  /** Live runs of the project, and of the filter's scenario (of the project, when it names none). */
  readonly all: number
  readonly ofScenario: number
}

const termsSchema = z.array(z.object({ place: z.number(), list: z.bigint(), runs: z.coerce.number() }))

/** What the wanted terms are in this project; null: a term that no run has. */
async function findTerms(db: Db, projectId: string, wanted: readonly WantedTerm[]): Promise<FoundTerms | null> {
  if (wanted.length === 0) return { terms: [], all: 0, ofScenario: 0 }
  const ofProject = Prisma.sql`project_id = ${projectId}`
  const parts = [{ kind: 'run', key: '', value: '' } as const, ...wanted].map((term, place) => {
    const condition = (id: Prisma.Sql) =>
      term.kind === 'prefix'
        ? Prisma.sql`kind = 'word' AND value COLLATE "C" >= ${term.value} AND value COLLATE "C" < ${term.value} || chr(1114111)`
        : Prisma.sql`${id} = term_id(${term.kind}, ${term.key}, ${term.value})`
    return Prisma.sql`
      (SELECT ${place}::int AS place, kind, key, value, runs FROM term WHERE ${ofProject} AND ${condition(Prisma.sql`id`)} LIMIT ${mostWords + 1})
      UNION ALL SELECT ${place}::int, kind, key, value, change FROM term_change WHERE ${ofProject} AND ${condition(Prisma.sql`term_id`)}`
  })
  const found = termsSchema.parse(
    await db.$queryRaw`
      SELECT place, term_list(${projectId}, kind, key, value) AS list, sum(runs) AS runs
      FROM (${Prisma.join(parts, ' UNION ALL ')}) AS counted
      GROUP BY place, kind, key, value HAVING sum(runs) > 0`,
  )
  const runsAt = (place: number) => found.reduce((sum, term) => (term.place === place ? sum + term.runs : sum), 0)
  const all = runsAt(0)
  const terms = wanted.map(({ kind }, index) => {
    const lists = found.filter((term) => term.place === index + 1).map((term) => term.list)
    return { kind, lists, runs: runsAt(index + 1) }
  })
  if (terms.some((term) => term.lists.length === 0)) return null
  const ofScenario = terms.find((term) => term.kind === 'scenario')?.runs ?? all
  const listed = terms.flatMap(({ kind, lists: [list], runs }): readonly FoundTerm[] =>
    kind === 'prefix' || kind === 'scenario' || list === undefined ? [] : [{ kind: 'listed', list, runs, overhead: 0 }],
  )
  const words = terms.filter((term) => term.kind === 'prefix' && term.lists.length <= mostWords)
  if (words.length === 0) return { terms: listed, all, ofScenario }
  const share = words.reduce((product, { runs }) => product * Math.min(1, runs / Math.max(1, all)), 1)
  const overhead = Math.min(...words.map((word) => word.runs)) * rowsPerEntry
  const together = { kind: 'words', lists: words.map((word) => word.lists), runs: all * share, overhead } as const
  return { terms: [...listed, together], all, ofScenario }
}
