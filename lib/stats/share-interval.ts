import { incompleteBeta } from './distributions'

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

/**
 * The interval of a share of which `count` of `total` (whole numbers) were seen, which holds it with at least `level`
 * whatever it is (Clopper and Pearson, Biometrika 26, 1934). Nothing seen: 0…1.
 */
export function exactShareInterval(count: number, total: number, level = 0.95): readonly [low: number, high: number] {
  const tail = (1 - level) / 2
  const low = count === 0 ? 0 : crossing((share) => incompleteBeta(share, count, total - count + 1) >= tail)
  const high = count === total ? 1 : crossing((share) => 1 - incompleteBeta(share, count + 1, total - count) <= tail)
  return [low, high]
}

/** Where in 0…1 a condition begins to hold. */
function crossing(holds: (share: number) => boolean): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return (low + high) / 2
}
