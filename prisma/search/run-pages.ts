import { z } from 'zod'
import { InvalidInputError } from '../../lib/errors'
import type { RunPageRequest } from '../../lib/run/stored'
import { Prisma } from '../generated/client'
import { sortColumn, sortField } from '../rows/figure-columns'
import { isId } from '../rows/ids'

/** One sweep over an index: runs that have the sort key's figure, or (after all of those) runs that lack it. */
export interface PagePart {
  readonly where: readonly Prisma.Sql[]
  readonly orderBy: Prisma.Sql
  readonly direction: 'asc' | 'desc'
  /** What comes after `(ordered_at, id)`: `> (…, …)` or `< (…, …)`. Null: not by time, or the first page. */
  readonly after: Prisma.Sql | null
  /** The time in `after`, as ms since 1970. */
  readonly afterMs: number | null
}

interface Position {
  /** Sort value of the last row: a number, a time, or null when it has no such figure. */
  readonly value: number | string | null
  readonly id: string
}

/**
 * How to read the page after `request.cursor`: rows of the first part, then of the second, up to the limit. Ties go by
 * id, in the direction of the sort; rows without the figure come last in both directions. Throws InvalidInputError for a
 * cursor that is not ours or belongs to another sorting.
 */
export function pageParts(request: RunPageRequest): readonly PagePart[] {
  const { sort, direction } = request
  const column = sortColumn(sort)
  const beyond = direction === 'asc' ? Prisma.sql`>` : Prisma.sql`<`
  const order = direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const at = request.cursor === undefined ? null : readCursor(request)
  const rest = { orderBy: Prisma.sql`r.id ${order}`, direction, after: null, afterMs: null }
  if (at?.value === null)
    return [{ ...rest, where: [Prisma.sql`${column} IS NULL`, Prisma.sql`r.id ${beyond} ${at.id}`] }]
  const value = typeof at?.value === 'string' ? new Date(at.value) : at?.value
  const after = at === null ? null : Prisma.sql`${beyond} (${value}, ${at.id})`
  const afterRow = after === null ? [] : [Prisma.sql`(${column}, r.id) ${after}`]
  const orderBy = Prisma.sql`${column} ${order}, r.id ${order}`
  const afterMs = value instanceof Date ? value.getTime() : null
  if (sort === 'time') return [{ where: afterRow, orderBy, direction, after, afterMs }]
  return [
    { where: [Prisma.sql`${column} IS NOT NULL`, ...afterRow], orderBy, direction, after: null, afterMs: null },
    { ...rest, where: [Prisma.sql`${column} IS NULL`] },
  ]
}

/**
 * The same page as one part, for who sorts what it found instead of walking an index: rows with the figure, then those
 * that lack it. Throws InvalidInputError as `pageParts` does.
 */
export function wholePart(request: RunPageRequest): PagePart {
  const [first, second] = pageParts(request)
  if (first === undefined) throw new Error('a page has a part')
  if (second === undefined) return first
  const column = sortColumn(request.sort)
  const order = request.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const either = [first, second].map((part) => Prisma.sql`(${Prisma.join([...part.where], ' AND ')})`)
  return {
    ...first,
    where: [Prisma.sql`(${Prisma.join(either, ' OR ')})`],
    orderBy: Prisma.sql`${column} ${order} NULLS LAST, r.id ${order}`,
  }
}

const cursorSchema = z.tuple([
  z.string(),
  z.enum(['asc', 'desc']),
  z.union([z.number(), z.iso.datetime(), z.null()]),
  z.string().refine(isId),
])

/** The opaque place after a row. */
export function writeCursor(
  { sort, direction }: Pick<RunPageRequest, 'sort' | 'direction'>,
  row: Readonly<Record<ReturnType<typeof sortField>, number | Date | null>> & { readonly id: string },
): string {
  const value = row[sortField(sort)]
  return Buffer.from(JSON.stringify([sort, direction, value, row.id])).toString('base64url')
}

function readCursor({ sort, direction, cursor = '' }: RunPageRequest): Position {
  const parsed = cursorSchema.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString('utf8')))
  const [cursorSort, cursorDirection, value, id] = parsed.data ?? []
  const fits = sort === 'time' ? typeof value === 'string' : typeof value === 'number' || value === null
  if (cursorSort !== sort || cursorDirection !== direction || !fits || value === undefined || id === undefined) {
    const hint = 'Start from the first page again.'
    throw new InvalidInputError('The cursor does not belong to this list.', { field: 'cursor', hint })
  }
  return { value, id }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
