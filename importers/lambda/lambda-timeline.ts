import type { Timeline } from '../../lib/run/run'
import { coarseSlotOf, largestNs, slotOf } from '../samples/flat-histogram'
import { TimelineBin, TimelineBuilder } from '../samples/timeline'

/** Collects invocations by the second in which they began: the time of their report less their duration. */
export class LambdaTimeline {
  private builder: TimelineBuilder | null = null
  private second = NaN
  private bin = new TimelineBin()
  private timed = 0

  /** Counts an invocation, unless its time is NaN: unknown. */
  add(reportedAtMs: number, durationMs: number, isGood: boolean): void {
    if (Number.isNaN(reportedAtMs)) return
    this.builder ??= new TimelineBuilder()
    const second = Math.floor((reportedAtMs - durationMs) / 1_000)
    if (second !== this.second) {
      this.second = second
      this.bin = this.builder.open(second)
    }
    const ns = Math.min(largestNs, Math.round(durationMs * 1e6))
    this.bin.record(coarseSlotOf(slotOf(ns)), ns, isGood ? 0 : 1)
    this.timed++
  }

  /** Null when the time of an invocation is unknown: a timeline would lack it. `invocations`: all of them. */
  build(invocations: number): Timeline | null {
    return this.timed === invocations ? (this.builder?.build(true) ?? null) : null
  }
}
