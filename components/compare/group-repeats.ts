import type { RunRow } from '@/lib/history/stored-runs'

type Grouped = Pick<RunRow, 'id' | 'seriesId'>

/** Sides as ids, for addresses. */
export type SideIds = readonly (readonly string[])[]

/**
 * The same runs with those of one scenario, variant and environment as repeats of one side, in the order of their
 * first; null when they are grouped that way already.
 */
export function groupRepeats(sides: readonly (readonly Grouped[])[]): SideIds | null {
  const bySeries = new Map<string, string[]>()
  for (const side of sides) {
    const [first] = side
    if (!first) continue
    // A side put together by hand stays together.
    const ids = side.map((run) => run.id)
    const known = bySeries.get(first.seriesId)
    if (known) known.push(...ids)
    else bySeries.set(first.seriesId, ids)
  }
  return bySeries.size < sides.length && bySeries.size > 1 ? [...bySeries.values()] : null
}

/** Every run on its own; null when they already are, or when there would be more sides than a comparison takes. */
export function ungroup(sides: readonly (readonly Grouped[])[], most: number): SideIds | null {
  const ids = sides.flatMap((side) => side.map((run) => [run.id]))
  return ids.length > sides.length && ids.length <= most ? ids : null
}
