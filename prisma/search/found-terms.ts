import { z } from 'zod'
import { Prisma } from '../generated/client'
import type { Db } from '../statements/access'
import type { WantedTerm } from './run-conditions'

/** With more than this, a beginning of words is too common to use: the runs are walked and checked one by one. */
const maxWords = 500

/** A tool, variant, environment or label: its runs are in run_term, ordered by time. */
export interface ListedTerm {
  readonly list: bigint
  readonly runs: number
}

/** All wanted words together, in the index of words. */
export interface FoundWords {
  /** For each wanted beginning of a word, the lists of the words with it. */
  readonly lists: readonly (readonly bigint[])[]
  /** How many runs have them all, if each is spread evenly; and how many have the rarest. */
  readonly runs: number
  readonly runsOfRarest: number
}

/** The terms of a filter in a project. */
export interface FoundTerms {
  readonly listed: readonly ListedTerm[]
  /** Null: the filter has none, or only beginnings of too many words. */
  readonly words: FoundWords | null
  /** Live runs of the project, and of the filter's scenario (of the project, when it names none). */
  readonly all: number
  readonly ofScenario: number
}

const rowsSchema = z.array(z.object({ place: z.number(), list: z.bigint(), runs: z.coerce.number() }))

/** Finds wanted terms, including pending changes of counts. Null: one of them has no run. */
export async function findTerms(db: Db, projectId: string, wanted: readonly WantedTerm[]): Promise<FoundTerms | null> {
  if (wanted.length === 0) return { listed: [], words: null, all: 0, ofScenario: 0 }
  const ofProject = Prisma.sql`project_id = ${projectId}`
  const parts = [{ kind: 'run', key: '', value: '' } as const, ...wanted].map((term, place) => {
    const condition = (id: Prisma.Sql) =>
      term.kind === 'prefix'
        ? Prisma.sql`kind = 'word' AND value COLLATE "C" >= ${term.value} AND value COLLATE "C" < ${term.value} || chr(1114111)`
        : Prisma.sql`${id} = term_id(${term.kind}, ${term.key}, ${term.value})`
    return Prisma.sql`
      (SELECT ${place}::int AS place, kind, key, value, runs FROM term WHERE ${ofProject} AND ${condition(Prisma.sql`id`)} LIMIT ${maxWords + 1})
      UNION ALL SELECT ${place}::int, kind, key, value, change FROM term_change WHERE ${ofProject} AND ${condition(Prisma.sql`term_id`)}`
  })
  const found = rowsSchema.parse(
    await db.$queryRaw`
      SELECT place, term_list(${projectId}, kind, key, value) AS list, sum(runs) AS runs
      FROM (${Prisma.join(parts, ' UNION ALL ')}) AS counted
      GROUP BY place, kind, key, value HAVING sum(runs) > 0`,
  )
  const runsAt = (place: number) => found.reduce((sum, term) => (term.place === place ? sum + term.runs : sum), 0)
  const terms = wanted.map(({ kind }, index) => {
    const lists = found.filter((term) => term.place === index + 1).map((term) => term.list)
    return { kind, lists, runs: runsAt(index + 1) }
  })
  if (terms.some((term) => term.lists.length === 0)) return null
  const all = runsAt(0)
  return {
    listed: terms.flatMap(({ kind, lists: [list], runs }) =>
      kind === 'prefix' || kind === 'scenario' || list === undefined ? [] : [{ list, runs }],
    ),
    words: together(
      terms.filter((term) => term.kind === 'prefix' && term.lists.length <= maxWords),
      all,
    ),
    all,
    ofScenario: terms.find((term) => term.kind === 'scenario')?.runs ?? all,
  }
}

function together(words: readonly { lists: readonly bigint[]; runs: number }[], all: number): FoundWords | null {
  if (words.length === 0) return null
  const share = words.reduce((product, { runs }) => product * Math.min(1, runs / Math.max(1, all)), 1)
  const runsOfRarest = Math.min(...words.map((word) => word.runs))
  return { lists: words.map((word) => word.lists), runs: all * share, runsOfRarest }
}
