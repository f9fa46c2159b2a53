import type { ImportProblem } from '@/lib/run/run'

/** Lines `first`…`last`, 1-based, inclusive. */
export type LineRange = readonly [first: number, last: number]

/** Most lines of a document in a preview. */
const shownLineLimit = 1_000
/** Lines beyond this are never shown: the whole text before them would have to be read. */
const furthestLine = 200_000
/** Lines shown before and after each find, if there is room. */
const maxContext = 20

type Place = Pick<ImportProblem, 'line' | 'lastLine'>

/**
 * Which lines of a document its preview shows: all of a short one; of a long one its beginning and the lines around
 * each block and problem, without the middle of long blocks. Rising, apart, at most `limit` lines together. Pure.
 */
export function shownRanges(
  lineCount: number,
  blocks: readonly LineRange[],
  problems: readonly Place[],
  limit = shownLineLimit,
): readonly LineRange[] {
  const end = Math.min(lineCount, furthestLine)
  if (end <= limit) return end < 1 ? [] : [[1, end]]
  const places = problems.flatMap(({ line, lastLine }): LineRange[] =>
    line === null ? [] : [[line, lastLine ?? line]],
  )
  // Runs come first if not every problem fits.
  const finds = [...blocks, ...places].slice(0, limit >> 3)
  if (finds.length === 0) return [[1, limit]]
  const room = Math.max(3, Math.floor(limit / finds.length))
  const context = Math.min(maxContext, room >> 2)
  const wanted = finds.flatMap((find) => endsOf(find, room - 2 * context, context))
  return limited(joined([[1, 3], ...wanted], end), limit)
}

/** A find with lines around it; if it is longer than `room`, its beginning and its end. */
function endsOf([first, last]: LineRange, room: number, context: number): readonly LineRange[] {
  if (last - first < room) return [[first - context, last + context]]
  const head = Math.ceil(room * 0.7)
  return [
    [first - context, first + head - 1],
    [last - (room - head) + 1, last + context],
  ]
}

/** In order, within 1…`end`, adjacent ones merged. */
function joined(ranges: readonly LineRange[], end: number): readonly LineRange[] {
  const merged: LineRange[] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const [first, last] = [Math.max(1, from), Math.min(end, to)]
    const before = merged.at(-1)
    if (first > last) continue
    if (before && first <= before[1] + 1) merged[merged.length - 1] = [before[0], Math.max(before[1], last)]
    else merged.push([first, last])
  }
  return merged
}

function limited(ranges: readonly LineRange[], limit: number): readonly LineRange[] {
  let left = limit
  return ranges.flatMap(([first, last]): LineRange[] => {
    const count = Math.min(left, last - first + 1)
    left -= count
    return count > 0 ? [[first, first + count - 1]] : []
  })
}
