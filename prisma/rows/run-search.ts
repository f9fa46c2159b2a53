import { z } from 'zod'
import type { RunFilter, RunPageRequest } from '../../lib/stored'
import { Prisma } from '../generated/client'
import type { Db } from './access'
import { runConditions, wantedTerms, type WantedTerm } from './run-conditions'
import { pageParts, type PagePart } from './run-pages'

/** Beyond these a beginning of words is too common to go by: the runs are walked and looked at one by one. */
const mostWords = 500
const mostWalked = 20

/** The runs that have one wanted term, through the index of terms; `runs`: how many, counted twice where two words fit. */
interface FoundTerm {
  readonly ids: readonly bigint[]
  readonly runs: number
}

const idsSchema = z.array(z.object({ id: z.string() }))

/**
 * The ids of a page of a project's live runs in order, at most `wanted`. Goes through the rarest term of the filter when
 * that takes fewer rows than walking the index of the sort key.
 */
export async function findPageIds(
  db: Db,
  projectId: string,
  filter: RunFilter,
  request: RunPageRequest,
  wanted: number,
): Promise<readonly string[]> {
  const { terms, all } = await findTerms(db, projectId, wantedTerms(filter))
  if (terms.some((term) => term.ids.length === 0)) return []
  const rarest = terms.reduce<FoundTerm | null>((best, term) => (best && best.runs <= term.runs ? best : term), null)
  const share = terms.reduce((product, { runs }) => product * Math.min(1, runs / Math.max(1, all)), 1)
  const walked = Math.min(all, wanted / Math.max(share, 1e-12))
  const conditions = [
    Prisma.sql`r.project_id = ${projectId}`,
    Prisma.sql`r.deleted_at IS NULL`,
    ...runConditions(filter),
  ]
  const ids: string[] = []
  for (const part of pageParts(request)) {
    const limit = wanted - ids.length
    if (limit === 0) break
    const page = { projectId, conditions, part, limit }
    const query =
      rarest === null
        ? walkRuns(page)
        : request.sort === 'time' && rarest.ids.length <= mostWalked
          ? walkTerms(page, rarest)
          : rarest.runs < walked
            ? gatherTerms(page, rarest)
            : walkRuns(page)
    ids.push(...idsSchema.parse(await db.$queryRaw(query)).map((row) => row.id))
  }
  return ids
}

interface Page {
  readonly projectId: string
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

/** By time, each term's runs until there are enough. */
function walkTerms({ projectId, conditions, part, limit }: Page, { ids }: FoundTerm): Prisma.Sql {
  const direction = part.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const order = Prisma.sql`t.ordered_at ${direction}, t.run_id ${direction}`
  const after = part.after === null ? Prisma.empty : Prisma.sql`AND (t.ordered_at, t.run_id) ${part.after}`
  const ofOne = (id: bigint | Prisma.Sql) => Prisma.sql`
    SELECT t.run_id AS id, t.ordered_at FROM run_term AS t JOIN run AS r ON r.id = t.run_id
    WHERE t.project_id = ${projectId} AND t.term_id = ${id} ${after} AND ${and(conditions)}
    ORDER BY ${order} LIMIT ${limit}`
  const [only, another] = ids
  if (only !== undefined && another === undefined) return Prisma.sql`SELECT id FROM (${ofOne(only)}) AS page`
  return Prisma.sql`
    SELECT id FROM (
      SELECT DISTINCT page.id, page.ordered_at FROM unnest(${[...ids]}::bigint[]) AS wanted (term_id),
        LATERAL (${ofOne(Prisma.sql`wanted.term_id`)}) AS page
    ) AS t ORDER BY t.ordered_at ${direction}, t.id ${direction} LIMIT ${limit}`
}

/** All runs of the terms, sorted. */
function gatherTerms({ projectId, conditions, part, limit }: Page, { ids }: FoundTerm): Prisma.Sql {
  return Prisma.sql`
    WITH candidate AS MATERIALIZED (
      SELECT DISTINCT run_id FROM run_term WHERE project_id = ${projectId} AND term_id = ANY(${[...ids]}::bigint[])
    )
    SELECT r.id FROM candidate JOIN run AS r ON r.id = candidate.run_id
    WHERE ${and([...conditions, ...part.where])} ORDER BY ${part.orderBy} LIMIT ${limit}`
}

const termsSchema = z.array(z.object({ place: z.number(), id: z.bigint(), runs: z.coerce.number() }))

/**
 * The terms, or the words that begin so, of those that can be gone by: a beginning of too many words is left out. `ids`
 * empty: no run has it. `all`: how many live runs the project has.
 */
async function findTerms(
  db: Db,
  projectId: string,
  wanted: readonly WantedTerm[],
): Promise<{ readonly terms: readonly FoundTerm[]; readonly all: number }> {
  if (wanted.length === 0) return { terms: [], all: 0 }
  const ofProject = Prisma.sql`project_id = ${projectId}`
  const parts = [{ kind: 'run', key: '', value: '' } as const, ...wanted].map((term, place) => {
    const condition = (id: Prisma.Sql) =>
      term.kind === 'prefix'
        ? Prisma.sql`kind = 'word' AND value COLLATE "C" >= ${term.value} AND value COLLATE "C" < ${term.value} || chr(1114111)`
        : Prisma.sql`${id} = term_id(${term.kind}, ${term.key}, ${term.value})`
    return Prisma.sql`
      (SELECT ${place}::int AS place, id, runs FROM term WHERE ${ofProject} AND ${condition(Prisma.sql`id`)} LIMIT ${mostWords + 1})
      UNION ALL SELECT ${place}::int, term_id, change FROM term_change WHERE ${ofProject} AND ${condition(Prisma.sql`term_id`)}`
  })
  const found = termsSchema.parse(
    await db.$queryRaw`
      SELECT place, id, sum(runs) AS runs FROM (${Prisma.join(parts, ' UNION ALL ')}) AS counted
      GROUP BY place, id HAVING sum(runs) > 0`,
  )
  const at = (place: number): FoundTerm => {
    const own = found.filter((term) => term.place === place)
    return { ids: own.map((term) => term.id), runs: own.reduce((sum, { runs }) => sum + runs, 0) }
  }
  const terms = wanted.map((_, index) => at(index + 1)).filter(({ ids }) => ids.length <= mostWords)
  return { terms, all: at(0).runs }
}
