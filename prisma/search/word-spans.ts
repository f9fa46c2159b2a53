import { z } from 'zod'
import type { RunFilter } from '../../lib/history/run-list'
import { Prisma } from '../generated/client'
import type { Db } from '../statements/access'
import type { FoundWords } from './found-terms'
import type { PagePart } from './run-pages'

/** As in `word_lists`: each word has a list for each span of 2^20 s of its runs' time. */
const spanMs = 2 ** 20 * 1_000
const spanOf = (ms: number) => BigInt(Math.floor(ms / spanMs))
const listIn = (list: bigint, span: bigint) => BigInt.asIntN(64, list ^ ((span * 2n + 1n) << 40n))

/** The times of the oldest and the newest possible run of a page, as ms since 1970; null: there is none. */
export interface Times {
  readonly fromMs: number
  readonly toMs: number
}

const timesSchema = z.array(z.object({ oldest: z.date().nullable(), newest: z.date().nullable() }))

/** The range of time in which a project has runs that pass the filter and the page's position. */
export async function findTimes(
  db: Db,
  projectId: string,
  filter: Pick<RunFilter, 'from' | 'to'>,
  { direction, afterMs }: Pick<PagePart, 'direction' | 'afterMs'>,
): Promise<Times | null> {
  const ofProject = Prisma.sql`FROM run WHERE project_id = ${projectId} AND deleted_at IS NULL ORDER BY ordered_at`
  const [found] = timesSchema.parse(
    await db.$queryRaw`
      SELECT (SELECT ordered_at ${ofProject} LIMIT 1) AS oldest, (SELECT ordered_at ${ofProject} DESC LIMIT 1) AS newest`,
  )
  if (!found?.oldest || !found.newest) return null
  const fromMs = Math.max(
    found.oldest.getTime(),
    filter.from ? Date.parse(filter.from) : -Infinity,
    direction === 'asc' ? (afterMs ?? -Infinity) : -Infinity,
  )
  const toMs = Math.min(
    found.newest.getTime(),
    filter.to ? Date.parse(filter.to) : Infinity,
    direction === 'desc' ? (afterMs ?? Infinity) : Infinity,
  )
  return fromMs <= toMs ? { fromMs, toMs } : null
}

/** Most lists in one statement: the planner takes each list for half a percent of the runs, and 1,000 for all. */
const maxLists = 500

/**
 * The words' lists in order of time: first the spans that are likely to have `limit` runs, then twice as many, and so
 * on until the last.
 */
export function* spansOf(
  words: FoundWords,
  times: Times | null,
  direction: 'asc' | 'desc',
  limit: number,
): Generator<FoundWords['lists']> {
  if (times === null) return
  const [oldest, newest] = [spanOf(times.fromMs), spanOf(times.toMs)]
  const count = Number(newest - oldest) + 1
  const perSpan = words.runs / count
  const most = Math.max(1, Math.floor(maxLists / Math.max(1, ...words.lists.map((lists) => lists.length))))
  let size = Math.max(1, Math.ceil(limit / Math.max(1e-9, perSpan)))
  for (let done = 0; done < count;) {
    const now = Math.min(size, most, count - done)
    const spans = Array.from({ length: now }, (_, at) =>
      direction === 'desc' ? newest - BigInt(done + at) : oldest + BigInt(done + at),
    )
    yield words.lists.map((lists) => lists.flatMap((list) => spans.map((span) => listIn(list, span))))
    done += now
    size *= 2
  }
}
