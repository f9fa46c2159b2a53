import { bucketCount, edgeMs, logEdgeMs } from '../cube/buckets'

/** Smallest latency, ms, and its logarithm. */
const lowestMs = 1e-4

/**
 * The share of rows above any latency, read off a histogram: exact at its edges, interpolated between them on a
 * logarithmic scale. A printed value x of a tool's step r stands for x − r/2 … x + r/2.
 */
export class Distribution {
  /** Rows; 0: the other figures mean nothing. */
  readonly rows: number
  /** Natural logarithms of ms, rising, and the share of rows up to each. */
  readonly logs: readonly number[]
  readonly shares: readonly number[]

  /** `resolutionMs`: step of the printed values; 0: finer than a bucket. */
  constructor(
    readonly counts: ArrayLike<number>,
    readonly resolutionMs: number,
    rows?: number,
  ) {
    let total = 0
    for (let bucket = 0; bucket < bucketCount; bucket++) total += counts[bucket] ?? 0
    this.rows = rows ?? total
    const logs: number[] = []
    const shares: number[] = []
    let below = 0
    let last = -Infinity
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      const count = counts[bucket] ?? 0
      if (count <= 0) continue
      const low = bucket === 0 ? logEdgeMs(0) - 0.016 : logEdgeMs(bucket - 1)
      let top = resolutionMs === 0 ? logEdgeMs(bucket) : topOfStep(bucket, resolutionMs)
      top = Math.max(top, last, low + 1e-7)
      if (logs.length === 0) {
        const bottom = resolutionMs === 0 ? low : Math.log(Math.max(Math.exp(top) - resolutionMs, lowestMs))
        logs.push(Math.min(bottom, top - 1e-7))
        shares.push(0)
      }
      below += count
      last = top
      logs.push(top)
      shares.push(below / total)
    }
    this.logs = logs.length > 0 ? logs : [0, 1]
    this.shares = shares.length > 0 ? shares : [0, 1]
  }

  /** Share of rows above a latency, given by its logarithm. */
  above(logMs: number): number {
    return 1 - interpolate(logMs, this.logs, this.shares)
  }

  /** Logarithm of a quantile in ms. */
  logQuantile(q: number): number {
    return interpolate(q, this.shares, this.logs)
  }

  quantileMs(q: number): number {
    return Math.exp(this.logQuantile(q))
  }
}

/** The value that a tool with this step printed for rows of a bucket, and half a step; as a logarithm of ms. */
function topOfStep(bucket: number, stepMs: number): number {
  const middle = Math.exp((logEdgeMs(bucket) + logEdgeMs(bucket - 1)) / 2)
  return Math.log(Math.max(Math.round(middle / stepMs) * stepMs + stepMs / 2, edgeMs(0) / 2))
}

/** Piecewise linear through points with rising x; constant beyond them. */
export function interpolate(x: number, xs: readonly number[], ys: readonly number[]): number {
  let low = 0
  let high = xs.length - 1
  if (x <= (xs[0] ?? 0)) return ys[0] ?? 0
  if (x >= (xs[high] ?? 0)) return ys[high] ?? 0
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((xs[middle] ?? 0) <= x) low = middle
    else high = middle
  }
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [xs[low], xs[high], ys[low], ys[high]]
  return x1 === x0 ? y1 : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0)
}
