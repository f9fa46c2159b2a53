import { z } from 'zod'
import { InvalidInputError } from '../../lib/errors'
import type { RunFilter, RunPageRequest, RunSortKey } from '../../lib/stored'
import { storableText } from '../../lib/text'
import type { Prisma } from '../generated/client'
import { isId } from './ids'

const maxWords = 20

/** A filter as a condition. Absent and empty fields do not narrow. */
export function filterWhere(filter: RunFilter, projectId: string): Prisma.RunWhereInput {
  const named = (column: 'tool' | 'scenario' | 'variant' | 'environment') => {
    const value = filter[column]
    return value ? [{ [column]: storableText(value) }] : []
  }
  const labels = Object.entries(filter.labels ?? {}).map(([key, value]) => ({
    labelRows: { some: { projectId, key: storableText(key), value: storableText(value) } },
  }))
  const words = storableText(filter.text ?? '')
    .toLowerCase()
    .split(/\s+/u)
    .filter(Boolean)
    .slice(0, maxWords)
  const ids = (texts: readonly string[]) => ({ in: texts.filter(isId) })
  return {
    AND: [
      ...named('tool'),
      ...named('scenario'),
      ...named('variant'),
      ...named('environment'),
      ...labels,
      ...words.map((word) => ({ searchText: { contains: escapeLike(word) } })),
      ...(filter.uploadId ? [{ uploadId: ids([filter.uploadId]) }] : []),
      ...(filter.runIds?.length ? [{ id: ids(filter.runIds) }] : []),
    ],
  }
}

/** Prisma hands `%` and `_` on to LIKE as wildcards; here they are letters. */
function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&')
}

const columns = {
  time: 'orderedAt',
  rps: 'requestsPerSecond',
  p50: 'p50Ms',
  p99: 'p99Ms',
  max: 'maxMs',
  errors: 'errorRatio',
} as const satisfies Record<RunSortKey, keyof Prisma.RunWhereInput>

/** One sweep over an index: runs that have the sort key's figure, or (after all of those) runs that lack it. */
export interface PagePart {
  readonly where: Prisma.RunWhereInput
  readonly orderBy: Prisma.RunOrderByWithRelationInput[]
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
  const column = columns[sort]
  const beyond = direction === 'asc' ? 'gt' : 'lt'
  const from = direction === 'asc' ? 'gte' : 'lte'
  const at = request.cursor === undefined ? null : readCursor(request)
  const without: PagePart = {
    where: { AND: [{ [column]: null }, ...(at ? [{ id: { [beyond]: at.id } }] : [])] },
    orderBy: [{ id: direction }],
  }
  if (at?.value === null) return [without]
  // The first condition alone bounds the index; the second takes the ties before the cursor out.
  const after = at
    ? [{ [column]: { [from]: at.value } }, { OR: [{ [column]: { [beyond]: at.value } }, { id: { [beyond]: at.id } }] }]
    : []
  const orderBy = [{ [column]: direction }, { id: direction }]
  if (sort === 'time') return [{ where: { AND: after }, orderBy }]
  const withFigure: PagePart = { where: { AND: [{ [column]: { not: null } }, ...after] }, orderBy }
  return [withFigure, { where: { [column]: null }, orderBy: [{ id: direction }] }]
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
  row: Readonly<Record<(typeof columns)[RunSortKey], number | Date | null>> & { readonly id: string },
): string {
  const value = row[columns[sort]]
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
