import { clippedSquares } from '../stats/robust'
import { noiseFloor } from './series-noise'

/** Fewest runs of a mode, on both sides together; for the mode that is more frequent now, before the change. */
const minRunsOfMode = 3
const minRunsBefore = 2
/** Log likelihood ratio by which two modes must beat two levels: more than the cost of their two extra parameters. */
const minGain = 6
const truncation = 3

/** Runs of one side in each mode, and the sum of their values. */
interface Side {
  readonly runs: readonly [lower: number, upper: number]
  readonly sums: readonly [lower: number, upper: number]
}

/**
 * For series of two modes: the two-sided p (Fisher's exact test) of the difference between the shares of runs in the
 * upper mode before (`a`) and after (`b`), when that is what changed: two constant modes explain the runs better than
 * the levels `before` and `after` do, the mode that is more frequent now was seen before, and runs of one mode differ
 * by less than half of the levels. Null: a step, which moves all runs, or one mode. Logarithms; `noise` of a run about
 * its level. Runs that stay in a mode count less: `slowness` runs as one.
 */
export function modeShareP(
  a: Float64Array,
  b: Float64Array,
  levels: { readonly before: number; readonly after: number },
  noise: number,
  slowness = 1,
): number | null {
  const { before, after } = levels
  const reach = truncation * noise
  const [lowest, highest] = [Math.min(before, after) - reach, Math.max(before, after) + reach]
  const clip = (value: number) => Math.min(highest, Math.max(lowest, value))
  const [clippedA, clippedB] = [a.map(clip), b.map(clip)]
  const limit = limitOfModes(clippedA, clippedB)
  if (limit === null) return null
  const [old, recent] = [sideOf(clippedA, limit), sideOf(clippedB, limit)]
  if (old.runs[after > before ? 1 : 0] < minRunsBefore) return null

  const n = a.length + b.length
  const deviation = (squares: number) => Math.sqrt(Math.max(squares / n, noiseFloor ** 2))
  const ofModes = deviation(squaresInModes(clippedA, clippedB, old, recent, limit))
  const ofLevels = deviation(clippedSquares(a, before, reach) + clippedSquares(b, after, reach))
  const gain = n * Math.log(ofLevels / ofModes) - surprise(old) - surprise(recent)
  if (gain <= minGain || shiftWithin(old, recent) / (after - before) >= 0.5) return null
  return fisherP(independentRuns(old, slowness), independentRuns(recent, slowness))
}

/**
 * The limit between two groups of values with the least squares about their means; null with fewer than three in
 * either.
 */
function limitOfModes(a: Float64Array, b: Float64Array): number | null {
  const ordered = new Float64Array(a.length + b.length)
  ordered.set(a)
  ordered.set(b, a.length)
  ordered.sort()
  const n = ordered.length
  const total = ordered.reduce((sum, value) => sum + value, 0)
  let limit: number | null = null
  let most = -Infinity
  let sum = 0
  for (let count = 1; count <= n - minRunsOfMode; count += 1) {
    const value = ordered[count - 1] ?? 0
    sum += value
    const explained = sum ** 2 / count + (total - sum) ** 2 / (n - count)
    if (count < minRunsOfMode || explained <= most) continue
    most = explained
    limit = (value + (ordered[count] ?? value)) / 2
  }
  return limit
}

function sideOf(values: Float64Array, limit: number): Side {
  const runs: [number, number] = [0, 0]
  const sums: [number, number] = [0, 0]
  for (const value of values) {
    const mode = value > limit ? 1 : 0
    runs[mode] += 1
    sums[mode] += value
  }
  return { runs, sums }
}

const independentRuns = ({ runs: [lower, upper] }: Side, slowness: number): readonly [number, number] => [
  Math.round(lower / slowness),
  Math.round(upper / slowness),
]

function squaresInModes(a: Float64Array, b: Float64Array, old: Side, recent: Side, limit: number): number {
  const centre = (mode: 0 | 1) => (old.sums[mode] + recent.sums[mode]) / Math.max(1, old.runs[mode] + recent.runs[mode])
  const [lower, upper] = [centre(0), centre(1)]
  let sum = 0
  for (const side of [a, b]) for (const value of side) sum += (value - (value > limit ? upper : lower)) ** 2
  return sum
}

/** −log likelihood of a side's modes, given its own share of them. */
function surprise({ runs }: Side): number {
  const all = runs[0] + runs[1]
  return -runs.reduce((sum, count) => (count > 0 ? sum + count * Math.log(count / all) : sum), 0)
}

/**
 * How far the runs of one mode moved: the mean over both modes, weighted by what is known of each. Infinite: no mode
 * has runs on both sides.
 */
function shiftWithin(old: Side, recent: Side): number {
  let weights = 0
  let moved = 0
  for (const mode of [0, 1] as const) {
    const [m, k] = [old.runs[mode], recent.runs[mode]]
    if (m === 0 || k === 0) continue
    const weight = (m * k) / (m + k)
    weights += weight
    moved += weight * (recent.sums[mode] / k - old.sums[mode] / m)
  }
  return weights > 0 ? moved / weights : Infinity
}

/** Fisher's exact test of two shares: the probability of all tables with the same margins that are no likelier. */
export function fisherP(a: readonly [number, number], b: readonly [number, number]): number {
  const [m, k, upper] = [a[0] + a[1], b[0] + b[1], a[1] + b[1]]
  const logFactorials = [0]
  for (let i = 1; i <= m + k; i += 1) logFactorials.push((logFactorials[i - 1] ?? 0) + Math.log(i))
  const logChoose = (of: number, count: number) =>
    (logFactorials[of] ?? 0) - (logFactorials[count] ?? 0) - (logFactorials[of - count] ?? 0)
  const chance = (count: number) =>
    Math.exp(logChoose(m, count) + logChoose(k, upper - count) - logChoose(m + k, upper))
  const seen = chance(a[1]) * (1 + 1e-9)
  let sum = 0
  for (let count = Math.max(0, upper - k); count <= Math.min(m, upper); count += 1) {
    const one = chance(count)
    if (one <= seen) sum += one
  }
  return Math.min(1, sum)
}
