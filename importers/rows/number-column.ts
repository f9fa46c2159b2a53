import { bucketCount } from '../../lib/cube/buckets'
import type { CubeNumber } from '../../lib/cube/cube'
import { BucketTable } from './bucket-table'
import { batchRows } from './sample-batch'
import type { CountedRows } from './value-column'

/** Fewer rows with a number say nothing about it. */
const fewestRows = 30

/** Counts a number that rows state beside their latency, ms; NaN: the row states none. */
export class NumberColumn {
  /** Number of each row of the batch being filled. */
  readonly values = new Float64Array(batchRows).fill(NaN)
  private readonly table = BucketTable.get()
  private rows = 0
  private negative = 0
  private readonly counts = new Uint32Array(bucketCount)
  private readonly restCounts = new Uint32Array(bucketCount)
  private readonly clientCounts = new Uint32Array(bucketCount)

  constructor(readonly name: string) {}

  /** Counts the rows of a batch, and forgets their numbers. */
  take({ size, latencyNs, buckets }: CountedRows): void {
    const { values, counts, restCounts, clientCounts, table } = this
    let stated = 0
    let negative = 0
    for (let row = 0; row < size; row++) {
      const ms = values[row] ?? NaN
      if (!(ms >= 0)) continue
      const ns = Math.round(ms * 1e6)
      const restNs = (latencyNs[row] ?? 0) - ns
      stated++
      if (restNs < 0) negative++
      const own = table.bucketOf(ns)
      const rest = table.bucketOf(restNs < 0 ? 0 : restNs)
      const client = buckets[row] ?? 0
      counts[own] = (counts[own] ?? 0) + 1
      restCounts[rest] = (restCounts[rest] ?? 0) + 1
      clientCounts[client] = (clientCounts[client] ?? 0) + 1
    }
    this.rows += stated
    this.negative += negative
    values.fill(NaN, 0, size)
  }

  /** Null: too few rows state it. */
  build(): CubeNumber | null {
    const { name, rows, counts, restCounts, clientCounts, negative } = this
    return rows < fewestRows ? null : { name, rows, counts, restCounts, clientCounts, negative }
  }
}
