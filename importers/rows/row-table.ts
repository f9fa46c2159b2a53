import type { JoinRows } from '../../lib/cube/join-rows'
import { type SampleBatch, batchRows } from './sample-batch'

/** Numbers by which a server says how long it took, in order of preference. */
const serverNumbers = [
  'Server-Timing total',
  'Server-Timing, sum of its parts',
  'x-envoy-upstream-service-time',
] as const

/** Keeps each row: only for a join, which needs them. Memory: 48 bytes a row and its id. */
export class RowTable {
  private count = 0
  private startMs = new Float64Array(batchRows)
  private latencyMs = new Float64Array(batchRows)
  private readonly ids: (string | null)[] = []
  /** By `serverNumbers`, as columns. */
  private readonly server = serverNumbers.map(() => new Float64Array(batchRows))
  private readonly isUsed = serverNumbers.map(() => false)
  private readonly rowServer = serverNumbers.map(() => new Float64Array(batchRows).fill(NaN))
  private readonly rowIds = new Array<string | null>(batchRows).fill(null)

  /** A number of the row of the batch being filled, by its place in `serverNumbers`; the parts of a sum add up. */
  setServer(row: number, number: number, ms: number): void {
    const column = this.rowServer[number]
    if (column === undefined) return
    const before = column[row] ?? NaN
    column[row] = number === 1 && before >= 0 ? before + ms : ms
    this.isUsed[number] = true
  }

  setId(row: number, id: string): void {
    this.rowIds[row] = id
  }

  add({ size, seconds, nanos, latencyNs }: SampleBatch): void {
    while (this.count + size > this.startMs.length) this.grow()
    const { count, startMs, latencyMs } = this
    for (let row = 0; row < size; row++) {
      startMs[count + row] = (seconds[row] ?? 0) * 1e3 + (nanos[row] ?? 0) / 1e6
      latencyMs[count + row] = (latencyNs[row] ?? 0) / 1e6
      this.ids.push(this.rowIds[row] ?? null)
    }
    this.rowServer.forEach((column, number) => this.server[number]?.set(column.subarray(0, size), count))
    for (const column of this.rowServer) column.fill(NaN, 0, size)
    this.rowIds.fill(null, 0, size)
    this.count += size
  }

  private grow(): void {
    const enlarge = (column: Float64Array) => {
      const larger = new Float64Array(2 * column.length)
      larger.set(column)
      return larger
    }
    this.startMs = enlarge(this.startMs)
    this.latencyMs = enlarge(this.latencyMs)
    this.server.forEach((column, number) => (this.server[number] = enlarge(column)))
  }

  build(): JoinRows {
    const { count, ids } = this
    const chosen = this.isUsed.indexOf(true)
    return {
      ...{ count, ids },
      startMs: this.startMs.subarray(0, count),
      latencyMs: this.latencyMs.subarray(0, count),
      serverMs: this.server[chosen]?.subarray(0, count) ?? new Float64Array(count).fill(NaN),
      serverName: serverNumbers[chosen] ?? null,
    }
  }
}
