import { median } from './robust'

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

/** Moves a change within ±4 runs to where two Laplace levels of their own scales explain the runs best. */
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

export interface Location {
  /** Offsets into the values given. */
  readonly earliest: number
  readonly latest: number
  readonly kind: 'step' | 'drift'
}

/** The places that explain two levels within a truncated loss of 4 of the best, and whether a line explains them as well. */
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
  const least = Math.min(...profile.values())
  const near = [...profile].filter(([, value]) => value - least <= 4).map(([at]) => at)
  const long = Math.min(change, n - change) >= 8
  const drift = long && truncatedSum(lineResiduals(values, noise, truncation), noise, truncation) <= least
  return { earliest: Math.min(...near), latest: Math.max(...near), kind: drift ? 'drift' : 'step' }
}

/** Residuals of a robust line: medians of the outer thirds, then least squares on the points near it, three times. */
function lineResiduals(values: Float64Array, noise: number, truncation: number): Float64Array {
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
