import type { StoredRun } from '@/lib/history/stored-runs'
import type { PlottedRun } from '../charts/plotted-run'
import type { TimedRun } from '../charts/timelines'
import { markedNames } from './distinct-names'

/** A run in the form that a comparison's charts take. */
export type PlottedRepeat = PlottedRun & TimedRun & { readonly styleIndex: number }

/** More lines would hide each other, and take too long to draw. */
const maxDrawn = 40

/** The name of every run of every side beside the others: repeats are distinguished by round, date or time. */
export function namesOfRuns(
  sides: readonly (readonly StoredRun[])[],
  names: readonly string[],
): readonly (readonly string[])[] {
  return sides.map((side, at) => {
    const [first] = side
    const shared = names[at] ?? first?.scenario ?? ''
    if (side.length === 1) return [names[at] ?? shared]
    return markedNames(
      side.map(() => shared),
      side.map((run) => [run]),
    )
  })
}

/**
 * The runs of every side for charts, repeats in the style of their side: all of them up to 40, else as many of each
 * side as fit, evenly over its runs.
 */
export function plottedSides(
  sides: readonly (readonly StoredRun[])[],
  names: readonly string[],
  runNames: readonly (readonly string[])[],
): readonly PlottedRepeat[] {
  const isMany = sides.reduce((sum, { length }) => sum + length, 0) > maxDrawn
  const most = isMany ? Math.max(1, Math.floor(maxDrawn / sides.length)) : maxDrawn
  return sides.flatMap((side, styleIndex) => {
    const name = names[styleIndex] ?? side[0]?.scenario ?? ''
    return evenly(side.length, most).flatMap((at) => {
      const run = side[at]
      if (run === undefined) return []
      const { id, imported } = run
      const own = { id, styleIndex, imported, timeline: imported.timeline, name: runNames[styleIndex]?.[at] ?? name }
      return side.length === 1 ? own : { ...own, side: { name, size: side.length } }
    })
  })
}

/** Evenly spaced positions among `count`, including the first and the last, at most `most`. */
function evenly(count: number, most: number): readonly number[] {
  if (count <= most) return Array.from({ length: count }, (_, at) => at)
  return Array.from({ length: most }, (_, at) => Math.round((at * (count - 1)) / Math.max(1, most - 1)))
}
