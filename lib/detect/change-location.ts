import { median, robustLocation } from '../stats/robust'

/** Σ min((v/σ)², K²). */
function truncatedSum(residuals: Float64Array, scale: number, truncation: number): number {
  let sum = 0
  for (const value of residuals) sum += Math.min((value * value) / (scale * scale), truncation * truncation)
  return sum
}

function around(values: Float64Array, centre: number): Float64Array {
  return values.map((value) => value - centre)
}

/** Mean absolute deviation from the median. */
function meanDeviation(values: Float64Array): number {
  const centre = median(values)
  return values.reduce((sum, value) => sum + Math.abs(value - centre), 0) / values.length
}

/** Moves a change by at most 4 runs to where two Laplace levels of their own scales explain the runs best. */
export function moveToLikelihood(
  values: Float64Array,
  from: number,
  change: number,
  to: number,
  noise: number,
): number {
  let best = Infinity
  let place = change
  for (let at = Math.max(from + 3, change - 4); at <= Math.min(to - 2, change + 4); at += 1) {
    const left = values.subarray(from, at)
    const right = values.subarray(at, to)
    if (right.length < 2) continue
    let leftScale = Math.max(meanDeviation(left), 0.4 * noise)
    let rightScale = Math.max(meanDeviation(right), 0.4 * noise)
    if (right.length < 8) rightScale = Math.max(rightScale, 0.5 * leftScale)
    if (left.length < 8) leftScale = Math.max(leftScale, 0.5 * rightScale)
    const cost = left.length * Math.log(leftScale) + right.length * Math.log(rightScale)
    if (cost < best - 1e-9) {
      best = cost
      place = at
    }
  }
  return place
}

const placeReach = 30
/** Degrees of freedom of the errors (Student): spikes weigh little, and a large step stays sharp. */
const placeFreedom = 2

/**
 * The middle of the places where a change may be: half of the probability is before it, half after. The probability of
 * a place falls with the loss of the two levels there, under heavy-tailed errors (two spikes next to a change move it
 * little), and more slowly the stronger the autocorrelation. For a change no larger than the noise the likeliest place
 * is often far off; the middle is not.
 */
export function middlePlace(
  values: Float64Array,
  bounds: { readonly from: number; readonly change: number; readonly to: number },
  noise: number,
  autocorrelation: number,
): number {
  const { from, change, to } = bounds
  const first = Math.max(from + 3, change - placeReach)
  const last = Math.min(to - 2, change + placeReach)
  if (last <= first) return change
  const inflation = (1 + autocorrelation) / (1 - autocorrelation)
  const lossOf = (residual: number) => (placeFreedom + 1) * Math.log1p((residual / noise) ** 2 / placeFreedom)
  let place = change
  // The levels depend on the place: compute them at the place found, then at the place that this gives.
  for (let round = 0; round < 2; round += 1) {
    const before = robustLocation(values.subarray(from, place), noise)
    const after = robustLocation(values.subarray(place, to), noise)
    const losses = [0]
    for (let at = first; at < last; at += 1) {
      const value = values[at] ?? 0
      losses.push((losses.at(-1) ?? 0) + lossOf(value - before) - lossOf(value - after))
    }
    const lowest = Math.min(...losses)
    const chances = losses.map((loss) => Math.exp((lowest - loss) / (2 * inflation)))
    const half = chances.reduce((sum, chance) => sum + chance, 0) / 2
    let sum = 0
    place = first + chances.findIndex((chance) => (sum += chance) >= half)
  }
  return place
}

export interface Location {
  /** Offsets into the values given. */
  readonly earliest: number
  readonly latest: number
  readonly kind: 'step' | 'drift'
}

/** The places whose two levels have a truncated loss within 4 of the best, and whether a line explains them as well. */
export function locationOf(values: Float64Array, change: number, noise: number, truncation: number): Location {
  const n = values.length
  const loss = (at: number) => {
    const left = values.subarray(0, at)
    const right = values.subarray(at)
    return (
      truncatedSum(around(left, median(left)), noise, truncation) +
      truncatedSum(around(right, median(right)), noise, truncation)
    )
  }
  const profile = new Map<number, number>()
  for (let at = Math.max(2, change - 15); at < Math.min(n - 1, change + 16); at += 1) profile.set(at, loss(at))
  if (!profile.has(change)) profile.set(change, loss(change))
  const lowest = Math.min(...profile.values())
  const near = [...profile].filter(([, value]) => value - lowest <= 4).map(([at]) => at)
  const long = Math.min(change, n - change) >= 8
  const drift = long && truncatedSum(lineResiduals(values, noise, truncation), noise, truncation) <= lowest
  return { earliest: Math.min(change, ...near), latest: Math.max(change, ...near), kind: drift ? 'drift' : 'step' }
}

/** Places of a step that are tried against a line: enough for its loss, and fast for 500 runs. */
const triedPlaces = 100
const minRunsOfLevel = 5

/**
 * Whether a line with these residuals explains the values at least as well as a step anywhere does, by truncated loss.
 */
export function creeps(values: Float64Array, residuals: Float64Array, noise: number, truncation: number): boolean {
  const ofLine = truncatedSum(residuals, noise, truncation)
  const stride = Math.max(1, Math.floor(values.length / triedPlaces))
  for (let at = minRunsOfLevel; at <= values.length - minRunsOfLevel; at += stride) {
    const sides = [values.subarray(0, at), values.subarray(at)]
    const losses = sides.map((side) => truncatedSum(around(side, median(side)), noise, truncation))
    if (losses.reduce((sum, loss) => sum + loss) < ofLine) return false
  }
  return true
}

/** Residuals of a robust line: medians of the outer thirds, then least squares on the points near it, three times. */
export function lineResiduals(values: Float64Array, noise: number, truncation: number): Float64Array {
  const n = values.length
  const third = Math.floor(n / 3)
  const span = Math.max(1, n - third) // distance of the outer thirds' centres
  let slope = (median(values.subarray(n - third)) - median(values.subarray(0, third))) / span
  let base = median(values.map((value, at) => value - slope * at))
  for (let round = 0; round < 3; round += 1) {
    let count = 0
    let sumT = 0
    let sumV = 0
    let sumTT = 0
    let sumTV = 0
    values.forEach((value, at) => {
      if (Math.abs(value - base - slope * at) > truncation * noise) return
      count += 1
      sumT += at
      sumV += value
      sumTT += at * at
      sumTV += at * value
    })
    if (count < 5) break
    slope = (count * sumTV - sumT * sumV) / (count * sumTT - sumT * sumT)
    base = (sumV - slope * sumT) / count
  }
  return values.map((value, at) => value - base - slope * at)
}
