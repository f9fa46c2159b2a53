import type { StoredRun } from '@/lib/run/stored'
import type { PlottedRun } from '../charts/plotted-run'
import { markedNames } from './distinct-names'

/** Every run of every side as plots take it: repeats share the style of their side and are told by round, date or time. */
export function plottedSides(
  sides: readonly (readonly StoredRun[])[],
  names: readonly string[],
): readonly (PlottedRun & { readonly styleIndex: number })[] {
  return sides.flatMap((side, styleIndex) => {
    const shared = names[styleIndex] ?? side[0]?.scenario ?? ''
    const ownNames = markedNames(
      side.map(() => shared),
      side,
    )
    return side.map((run, at) => {
      const name = names[styleIndex] ?? run.scenario
      const own = { id: run.id, styleIndex, imported: run.imported }
      if (side.length === 1) return { ...own, name }
      return { ...own, name: ownNames[at] ?? name, side: { name, size: side.length } }
    })
  })
}
