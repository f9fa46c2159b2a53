import type { ClockOffset } from './clock-offset'

const reachS = 60
const stepS = 0.02
/** Whole seconds within the log that are needed. */
const fewestSeconds = 8
/** The interval ends where the deviance has risen by this, times what is left at its best. */
const rise = 9
const leastGain = 25
const widestS = 1.2

/**
 * A log with whole seconds: its counts per second = a + b · those of the client moved by an offset; the interval is that
 * of the profile likelihood. Seconds, rising. Null: the curve has no edge to hold on to, or the interval is too wide.
 */
export function rateCurve(client: Float64Array, server: Float64Array): ClockOffset | null {
  const [first, last] = [Math.floor(server[0] ?? 0), Math.floor(server.at(-1) ?? 0)]
  // The first and the last second are not whole.
  const counts = new Float64Array(Math.max(0, last - first - 1))
  for (const end of server) {
    const second = Math.floor(end) - first - 1
    if (second >= 0 && second < counts.length) counts[second] = (counts[second] ?? 0) + 1
  }
  if (counts.length < fewestSeconds || last - first <= 6) return null
  const centre = ((server[0] ?? 0) + (server.at(-1) ?? 0)) / 2 - ((client[0] ?? 0) + (client.at(-1) ?? 0)) / 2
  const grid = Array.from({ length: Math.ceil((2 * reachS) / stepS) }, (_, at) => centre - reachS + at * stepS)
  const deviances = grid.map((offset) => devianceAt(client, counts, first + 1 - offset))
  const least = Math.min(...deviances)
  const scale = Math.max(1, least / Math.max(counts.length - 3, 1))
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const flat = counts.reduce((sum, count) => sum + (count - mean) ** 2 / (count + 1), 0)
  const inside = grid.filter((_, at) => (deviances[at] ?? Infinity) <= least + rise * scale)
  const [low = 0, high = 0] = [inside[0], inside.at(-1)]
  if (flat - least < leastGain * scale || high - low > widestS) return null
  return { value: grid[deviances.indexOf(least)] ?? 0, low: low - stepS, high: high + stepS }
}

/** Weighted squares left by the best a ≥ 0 and b ≥ 0; the client's seconds begin at `from`. */
function devianceAt(client: Float64Array, counts: Float64Array, from: number): number {
  const perSecond = new Float64Array(counts.length)
  let before = lowerBound(client, from)
  for (let second = 0; second < counts.length; second++) {
    const after = lowerBound(client, from + second + 1)
    perSecond[second] = after - before
    before = after
  }
  let [weight, x, y, xx, xy] = [0, 0, 0, 0, 0]
  counts.forEach((count, second) => {
    const [w, own] = [1 / (count + 1), perSecond[second] ?? 0]
    weight += w
    x += w * own
    y += w * count
    xx += w * own * own
    xy += w * own * count
  })
  const spread = weight * xx - x * x
  const slope = Math.max(0, spread > 0 ? (weight * xy - x * y) / spread : 0)
  const level = Math.max(0, spread > 0 ? (xx * y - x * xy) / spread : y / weight)
  return counts.reduce(
    (sum, count, second) => sum + (count - level - slope * (perSecond[second] ?? 0)) ** 2 / (count + 1),
    0,
  )
}

/** Position of the first time that is not before one. */
function lowerBound(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
