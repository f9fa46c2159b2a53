import type { StoredRun } from '@/lib/stored'
import type { PlottedRun } from '../charts/hdr-plot'

/** Every run of every side as plots take it: repeats share the style of their side and are numbered. */
export function plottedSides(
  sides: readonly (readonly StoredRun[])[],
  names: readonly string[],
): readonly (PlottedRun & { readonly styleIndex: number })[] {
  return sides.flatMap((side, styleIndex) =>
    side.map((run, at) => {
      const name = names[styleIndex] ?? run.scenario
      return { id: run.id, name: side.length > 1 ? `${name} (${at + 1})` : name, styleIndex, imported: run.imported }
    }),
  )
}
