import type { BucketCounts, Cube } from '../cube/cube'
import { Distribution } from './distribution'

/** A number of the server's that rose (or fell) as much as the client's latency did. */
export interface ServerPart {
  readonly name: string
  /** Its change over the client's, at most 1. */
  readonly share: number
}

const quantiles = Array.from({ length: 19 }, (_, at) => 0.05 + at * 0.05)
const leastShare = 0.7
/** A latency that moved by less is not asked about. */
const leastRatio = 0.02

/** Of several the smallest: the part, not the total that holds it. Null: none. */
export function serverPart(base: Cube, head: Cube): ServerPart | null {
  const found = base.numbers.flatMap((own) => {
    const other = head.numbers.find(({ name }) => name === own.name)
    if (other === undefined) return []
    const before = trimmedMean(own.clientCounts)
    const client = trimmedMean(other.clientCounts) - before
    const level = trimmedMean(own.counts)
    const share = (trimmedMean(other.counts) - level) / client
    return Math.abs(client) > leastRatio * before && share > leastShare
      ? [{ name: own.name, level, share: Math.min(share, 1) }]
      : []
  })
  return found.sort((a, b) => a.level - b.level)[0] ?? null
}

/** Mean of the quantiles p5…p95, ms. */
function trimmedMean(counts: BucketCounts): number {
  const distribution = new Distribution(counts, 0)
  return quantiles.reduce((sum, q) => sum + distribution.quantileMs(q), 0) / quantiles.length
}
