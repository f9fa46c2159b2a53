import type { StoredRun } from '@/lib/run/stored'
import type { PlottedRun } from '../charts/plotted-run'

/** Every run of every side as plots take it: repeats share the style of their side and are numbered. */
export function plottedSides(
  sides: readonly (readonly StoredRun[])[],
  names: readonly string[],
): readonly (PlottedRun & { readonly styleIndex: number })[] {
  return sides.flatMap((side, styleIndex) =>
    side.map((run, at) => {
      const name = names[styleIndex] ?? run.scenario
      const own = { id: run.id, styleIndex, imported: run.imported }
      if (side.length === 1) return { ...own, name }
      return { ...own, name: `${name} (${at + 1})`, side: { name, size: side.length } }
    }),
  )
}
