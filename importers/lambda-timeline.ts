import type { Timeline } from '../lib/run'
import { largestNs, slotOf } from './flat-histogram'
import { batchRows, SampleBatch } from './sample-batch'
import { TimelineBuilder } from './timeline'

/** Collects invocations by the second in which they began: the time of their report less their duration. */
export class LambdaTimeline {
  private readonly builder = new TimelineBuilder()
  private batch: SampleBatch | null = null
  private timed = 0

  /** Counts an invocation, unless its time is NaN: not known. */
  add(reportedAtMs: number, durationMs: number, isGood: boolean): void {
    if (Number.isNaN(reportedAtMs)) return
    this.batch ??= new SampleBatch()
    const { batch } = this
    const row = batch.size
    const ns = Math.min(largestNs, Math.round(durationMs * 1e6))
    batch.seconds[row] = Math.floor((reportedAtMs - durationMs) / 1_000)
    batch.latencyNs[row] = ns
    batch.slots[row] = slotOf(ns)
    batch.failed[row] = isGood ? 0 : 1
    batch.size++
    this.timed++
    if (batch.size === batchRows) this.flush()
  }

  private flush(): void {
    if (this.batch === null) return
    this.builder.add(this.batch)
    this.batch.size = 0
  }

  /** Null when the time of an invocation is not known: a timeline would lack it. `invocations`: all of them. */
  build(invocations: number): Timeline | null {
    this.flush()
    return this.timed === invocations ? this.builder.build(true) : null
  }
}
