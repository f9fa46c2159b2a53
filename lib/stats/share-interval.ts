/**
 * Bounds of a share of which `count` of `total` were seen (E. B. Wilson, JASA 22, 1927), each exceeded with the
 * probability beyond `z` of the normal distribution. Neither need be whole. Nothing seen: 0…1.
 */
export function wilsonBounds(count: number, total: number, z: number): readonly [low: number, high: number] {
  if (total <= 0) return [0, 1]
  const share = count / total
  const divisor = 1 + (z * z) / total
  const middle = (share + (z * z) / (2 * total)) / divisor
  const half = (z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total))) / divisor
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

/** The share below which it lies with 95 %, if none of `total` were seen: the rule of three. Nothing seen: 1. */
export const boundOfNone = (total: number): number => (total > 0 ? Math.min(1, -Math.log(0.05) / total) : 1)
