import { edgeMs, logEdgeMs } from '../cube/buckets'
import type { Cube } from '../cube/cube'
import { rowsAbove } from './scatter'
import type { Group } from './groups'
import { movedAbove, type Move } from './shares-above'

/** One part of a difference: of all requests alike, within a value, or of its share of the traffic. */
export interface Part {
  readonly kind: 'common' | 'within' | 'mix'
  /** Null: of all. */
  readonly value: string | null
  /** Share of requests; above 0, head has more of them above the threshold. */
  readonly share: number
}

/** The shares above one latency, and the parts that add up to their difference. */
export interface PartsAbove {
  /** Quantile of base near which the latency lies. */
  readonly q: number
  readonly thresholdMs: number
  readonly baseShare: number
  readonly headShare: number
  readonly parts: readonly Part[]
  /** Left by the arithmetic of floating-point numbers. */
  readonly remainder: number
}

/** Quantiles of base near which the difference is taken apart: they cover the range, not only p50 and p99. */
const quantiles = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999] as const

/**
 * head − base = Σ within + Σ mix with the mean of both sides as weights (Kitagawa 1955), exact at the edges of buckets. A
 * move that all values share is taken out of their within parts first. A value that one side lacks takes the other's
 * distribution, so it is all mix.
 */
export function partsOf(base: Cube, head: Cube, group: Group, move: Move | null): readonly PartsAbove[] {
  const buckets = quantiles.map((q) => ({ q, bucket: bucketOf(base, q) }))
  return buckets
    .filter(({ bucket }, at) => bucket !== buckets[at - 1]?.bucket)
    .map(({ q, bucket }) => ({ q, ...partsAt(base, head, group, move, bucket) }))
}

/** The first bucket up to whose edge at least this share of the rows lies. */
function bucketOf({ all, rows }: Cube, q: number): number {
  let below = 0
  for (let bucket = 0; bucket < all.length; bucket++) {
    below += all[bucket] ?? 0
    if (below >= q * rows - 1e-9) return bucket
  }
  return all.length - 1
}

function partsAt(base: Cube, head: Cube, group: Group, move: Move | null, bucket: number): Omit<PartsAbove, 'q'> {
  const baseShare = rowsAbove(base.all, bucket) / base.rows
  const headShare = rowsAbove(head.all, bucket) / head.rows
  const parts: Part[] = []
  let common = 0
  for (const { value, base: b, head: h, ...traffic } of group.values) {
    const known = (one: typeof b) => (one === null ? null : rowsAbove(one.counts, bucket) / one.rows)
    const before = known(b) ?? known(h) ?? 0
    const after = known(h) ?? known(b) ?? 0
    const weight = (traffic.baseShare + traffic.headShare) / 2
    let within = weight * (after - before)
    if (move !== null && b !== null && h !== null) {
      const log = logEdgeMs(bucket)
      const shared = weight * (movedAbove(b, log, move) - b.above(log))
      common += shared
      within -= shared
    }
    parts.push({ kind: 'within', value, share: within })
    parts.push({ kind: 'mix', value, share: (traffic.headShare - traffic.baseShare) * ((before + after) / 2) })
  }
  if (move !== null) parts.unshift({ kind: 'common', value: null, share: common })
  const remainder = parts.reduce((left, { share }) => left - share, headShare - baseShare)
  return { thresholdMs: edgeMs(bucket), baseShare, headShare, parts, remainder }
}
