/** `share` (0…1) of all values are at or below `ms`. */
export interface CumulativePoint {
  readonly ms: number
  readonly share: number
}

/** The share known to be at or below `ms`: that of the last point at or before it. Null before the first, and past a last that is not all. */
export function shareAt({ points }: { readonly points: readonly CumulativePoint[] }, ms: number): number | null {
  const at = points.findLastIndex((point) => point.ms <= ms)
  const point = points[at]
  if (!point) return null
  return at === points.length - 1 && point.share < 1 && point.ms < ms ? null : point.share
}
