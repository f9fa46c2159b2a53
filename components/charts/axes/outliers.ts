/** Fewer values are all on the axis. */
const minValues = 20
/** At most this share of the values is left out at each end. */
const maxShare = 0.05

/**
 * The values that an axis is fitted to: without a few at either end that are farther from the others than these are
 * from each other. `always`: values that stay, such as the newest; `least`: the smallest height of the others.
 */
export function withoutOutliers(
  values: readonly number[],
  always: readonly number[],
  least: (largest: number) => number,
): readonly number[] {
  if (values.length < minValues) return values
  const rising = values.toSorted((a, b) => a - b)
  const most = Math.floor(values.length * maxShare)
  const inner = rising.slice(most, rising.length - most)
  const [low, high] = [inner[0] ?? 0, inner.at(-1) ?? 0]
  const height = Math.max(high - low, least(high))
  const from = Math.min(low - height, ...always)
  const to = Math.max(high + height, ...always)
  return rising.filter((value) => value >= from && value <= to)
}
