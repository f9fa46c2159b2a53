import { z } from 'zod'
import { InvalidInputError } from '../../lib/errors'
import { timestampSchema } from '../../lib/run/timestamp'
import { judgedStates, statesByUrgency, type JudgedState } from '../../lib/run/judged-states'
import type { FigureKey } from '../../lib/run/metrics'
import type { RunPageRequest } from '../../lib/history/run-list'
import { Prisma } from '../generated/client'
import { sortColumn, sortField } from '../rows/figure-columns'
import { isId } from '../rows/ids'

/**
 * One pass over an index: runs that have the sort key's figure, or (after all of those) runs that lack it; or runs of
 * one state.
 */
export interface PagePart {
  readonly where: readonly Prisma.Sql[]
  readonly orderBy: Prisma.Sql
  readonly direction: 'asc' | 'desc'
  /** The condition on `(ordered_at, id)`: `> (…, …)` or `< (…, …)`. Null: not by time, or the first page. */
  readonly after: Prisma.Sql | null
  /** The time in `after`, as ms since 1970. */
  readonly afterMs: number | null
}

/**
 * How to read the page after `request.cursor`: rows of the first part, then of the next, up to the limit. Ties are
 * ordered by id (within a state by time), in the direction of the sort; rows without the figure or state come last in
 * both directions. `state`: all listed runs have it. Throws InvalidInputError for an invalid cursor, or one of another
 * sorting.
 */
export function pageParts(request: RunPageRequest, state?: JudgedState): readonly PagePart[] {
  const { sort, direction } = request
  if (sort === 'state') return stateParts(request, state)
  const column = sortColumn(sort)
  const beyond = direction === 'asc' ? Prisma.sql`>` : Prisma.sql`<`
  const order = direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const orderBy = Prisma.sql`${column} ${order}, r.id ${order}`
  const rest = { orderBy: Prisma.sql`r.id ${order}`, direction, after: null, afterMs: null }
  if (sort === 'time') {
    const at = readCursor(request, timestampSchema)
    if (at === null) return [{ ...rest, where: [], orderBy }]
    const time = new Date(at.value)
    const after = Prisma.sql`${beyond} (${time}, ${at.id})`
    return [{ where: [Prisma.sql`(${column}, r.id) ${after}`], orderBy, direction, after, afterMs: time.getTime() }]
  }
  const at = readCursor(request, z.number().nullable())
  if (at?.value === null)
    return [{ ...rest, where: [Prisma.sql`${column} IS NULL`, Prisma.sql`r.id ${beyond} ${at.id}`] }]
  const afterRow = at === null ? [] : [Prisma.sql`(${column}, r.id) ${beyond} (${at.value}, ${at.id})`]
  return [
    { ...rest, where: [Prisma.sql`${column} IS NOT NULL`, ...afterRow], orderBy },
    { ...rest, where: [Prisma.sql`${column} IS NULL`] },
  ]
}

const statePosition = z.object({ state: z.enum(judgedStates).nullable(), at: timestampSchema })

/** The runs of each state by time, state by state; runs without a judgement last. */
function stateParts(request: RunPageRequest, only: JudgedState | undefined): readonly PagePart[] {
  const { direction } = request
  const beyond = direction === 'asc' ? Prisma.sql`>` : Prisma.sql`<`
  const order = direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const last = readCursor(request, statePosition)
  const states: readonly (JudgedState | null)[] = [...inOrder(direction), null]
  return states.slice(last === null ? 0 : states.indexOf(last.value.state)).flatMap((state): readonly PagePart[] => {
    if (only !== undefined && state !== only) return []
    const isState = state === null ? Prisma.sql`r.judged_state IS NULL` : Prisma.sql`r.judged_state = ${state}`
    const isAfter =
      last === null || last.value.state !== state
        ? []
        : [Prisma.sql`(r.ordered_at, r.id) ${beyond} (${new Date(last.value.at)}, ${last.id})`]
    const orderBy = Prisma.sql`r.ordered_at ${order}, r.id ${order}`
    return [{ where: [isState, ...isAfter], orderBy, direction, after: null, afterMs: null }]
  })
}

const inOrder = (direction: 'asc' | 'desc'): readonly JudgedState[] =>
  direction === 'desc' ? statesByUrgency : [...statesByUrgency].reverse()

/**
 * The same page as one part, for callers that sort what they found instead of walking an index: rows with the figure,
 * then those without. Throws InvalidInputError as `pageParts` does.
 */
export function wholePart(request: RunPageRequest, state?: JudgedState): PagePart {
  const parts = pageParts(request, state)
  const [first] = parts
  if (first === undefined) throw new Error('a page has a part')
  if (parts.length === 1) return first
  const order = request.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const either = parts.map((part) => Prisma.sql`(${Prisma.join([...part.where], ' AND ')})`)
  const orderBy =
    request.sort === 'state'
      ? Prisma.sql`array_position(${[...inOrder(request.direction)]}::text[], r.judged_state) NULLS LAST, ${first.orderBy}`
      : Prisma.sql`${sortColumn(request.sort)} ${order} NULLS LAST, r.id ${order}`
  return { ...first, where: [Prisma.sql`(${Prisma.join(either, ' OR ')})`], orderBy }
}

type CursorRow = Readonly<Record<FigureKey, number | null>> & {
  readonly id: string
  readonly orderedAt: Date
  readonly judgedState: string | null
}

/** The opaque position after a row. */
export function writeCursor({ sort, direction }: Pick<RunPageRequest, 'sort' | 'direction'>, row: CursorRow): string {
  const value = sort === 'state' ? { state: row.judgedState, at: row.orderedAt } : row[sortField(sort)]
  return Buffer.from(JSON.stringify([sort, direction, value, row.id])).toString('base64url')
}

/** The position after which a page begins; null: it is the first one. */
function readCursor<Value>(
  { sort, direction, cursor }: RunPageRequest,
  valueSchema: z.ZodType<Value>,
): { readonly value: Value; readonly id: string } | null {
  if (cursor === undefined) return null
  const schema = z.tuple([z.literal(sort), z.literal(direction), valueSchema, z.string().refine(isId)])
  const { data } = schema.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (data === undefined) {
    const hint = 'Start from the first page again.'
    throw new InvalidInputError('The cursor does not belong to this list.', { field: 'cursor', hint })
  }
  return { value: data[2], id: data[3] }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
