import type { Cube } from '../../lib/cube/cube'
import { CubeBuilder } from '../rows/cube-builder'
import { batchRows, SampleBatch } from '../rows/sample-batch'
import { largestNs } from '../samples/flat-histogram'
import { viewOf } from '../text/fast-bytes'
import type { WaitingReports } from './waiting-reports'

/** How a report says that an invocation ended, and the class of status it is counted in. */
const statuses = [
  { name: 'success', code: 200 },
  { name: 'error', code: 500 },
  { name: 'failure', code: 501 },
  // No answer.
  { name: 'timeout', code: 0 },
] as const
const nameOfCode = new Map<number, string>(statuses.map(({ name, code }) => [code, name]))
const codeOfName = new Map<string, number>(statuses.map(({ name, code }) => [name, code]))
const failed = 500

const maxErrors = 1_000
const maxErrorLength = 60
const encoder = new TextEncoder()

/**
 * Counts the invocations of a function into a cube: cold and warm ones, how they ended, with which memory. Its latency is
 * the Duration of a report, which the start before it is no part of.
 */
export class LambdaCube {
  private readonly cube = new CubeBuilder()
  private readonly batch = new SampleBatch()
  private readonly memory = this.cube.headers.add('memory')
  /** Numbers of memory sizes, MB, among the values of `memory`. */
  private readonly sizes = new Map<number, number>()
  private readonly errors = new Map<string, number>()
  private rows = 0
  private sumNs = 0
  private baseSeconds = NaN
  /** Since `baseSeconds`, ns. */
  private firstNs = Infinity
  private lastNs = -Infinity

  /** Counts the invocation at a place of `rows`. */
  add(rows: WaitingReports, at: number): void {
    const { batch, cube } = this
    if (batch.size === batchRows) this.flush()
    const row = batch.size++
    const durationMs = rows.durationMs[at] ?? 0
    const status = rows.status[at] ?? 'success'
    const ns = Math.min(largestNs, Math.round(durationMs * 1e6))
    batch.latencyNs[row] = ns
    batch.codes[row] = codeOfName.get(status) ?? failed
    batch.targets[row] = -1
    this.setStart(row, (rows.reportedAtMs[at] ?? NaN) - durationMs)
    this.rows++
    this.sumNs += ns
    cube.setCold(row, (rows.initMs[at] ?? NaN) >= 0 || (rows.restoreMs[at] ?? NaN) >= 0)
    if (status !== 'success') cube.setError(row, this.errorOf(rows.errorType[at] ?? `Status: ${status}`))
    const memoryMb = rows.memorySizeMb[at] ?? NaN
    if (!Number.isNaN(memoryMb)) this.setMemory(row, memoryMb)
  }

  /** Without the time of one row, none is counted by time. */
  private setStart(row: number, startMs: number): void {
    if (Number.isNaN(startMs)) this.cube.hasTimes = false
    const seconds = Math.floor(startMs / 1_000)
    if (this.rows === 0) this.baseSeconds = seconds
    this.batch.seconds[row] = seconds
    this.batch.nanos[row] = Math.round((startMs - seconds * 1_000) * 1e6)
    const startNs = (startMs - this.baseSeconds * 1_000) * 1e6
    if (startNs < this.firstNs) this.firstNs = startNs
    if (startNs > this.lastNs) this.lastNs = startNs
  }

  private errorOf(name: string): number {
    const kind = this.errors.get(name) ?? Math.min(this.errors.size, maxErrors)
    if (kind < maxErrors) this.errors.set(name, kind)
    return kind
  }

  private setMemory(row: number, memoryMb: number): void {
    const { memory, sizes } = this
    if (memory === null) return
    const known = sizes.get(memoryMb)
    if (known !== undefined) {
      memory.codes[row] = known
      return
    }
    const bytes = encoder.encode(`${memoryMb} MB`)
    memory.set(row, viewOf(bytes), 0, bytes.length)
    if (sizes.size < maxErrors) sizes.set(memoryMb, memory.codes[row] ?? 0)
  }

  private flush(): void {
    if (this.batch.size > 0) this.cube.add(this.batch, this.baseSeconds)
    this.batch.size = 0
  }

  /** `saysCold`: the log says which invocations were cold. Null: there are none. To be called once. */
  build(saysCold: boolean): Cube | null {
    this.flush()
    if (this.rows === 0) return null
    const errors = [...this.errors.keys()]
    const { cube } = this.cube.build({
      ...{ tool: 'lambda', resolutionMs: 0.01, isOpenLoop: false },
      ...{ firstNs: this.firstNs, lastNs: this.lastNs, sumMs: this.sumNs / 1e6, rows: this.rows },
      targetOf: () => null,
      methodOf: null,
      statusOf: (code) => nameOfCode.get(code) ?? String(code),
      errorOf: (kind) => errors[kind]?.slice(0, maxErrorLength) ?? null,
    })
    return saysCold ? cube : { ...cube, attributes: cube.attributes.filter(({ name }) => name !== 'cold') }
  }
}
