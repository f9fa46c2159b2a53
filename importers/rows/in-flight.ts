import type { SampleBatch } from './sample-batch'

const binCount = 1 << 15
const mask = binCount - 1
const firstWidthNs = 1e5

/**
 * Most requests in flight at once: starts less ends by bins of time, whose width doubles as often as the run needs. What
 * begins and ends within one bin is not seen. Memory: 128 kB.
 */
export class InFlight {
  private changes = new Int32Array(binCount)
  private widthNs = firstWidthNs
  private from = Infinity
  private to = -Infinity

  /** Counts rows by start, whose seconds count from `baseSeconds`, and latency. */
  add({ size, seconds, nanos, latencyNs }: SampleBatch, baseSeconds: number): void {
    for (let row = 0; row < size; row++) {
      const startNs = ((seconds[row] ?? 0) - baseSeconds) * 1e9 + (nanos[row] ?? 0)
      const endNs = startNs + (latencyNs[row] ?? 0)
      let first = Math.floor(startNs / this.widthNs)
      let last = Math.floor(endNs / this.widthNs)
      if (first < this.from || last > this.to) {
        this.open(startNs)
        this.open(endNs)
        first = Math.floor(startNs / this.widthNs)
        last = Math.floor(endNs / this.widthNs)
      }
      const { changes } = this
      // Both within one bin cancel out.
      if (first === last) continue
      changes[first & mask] = (changes[first & mask] ?? 0) + 1
      changes[last & mask] = (changes[last & mask] ?? 0) - 1
    }
  }

  private open(atNs: number): void {
    for (;;) {
      const place = Math.floor(atNs / this.widthNs)
      const [from, to] = [Math.min(this.from, place), Math.max(this.to, place)]
      if (to - from < binCount) {
        this.from = from
        this.to = to
        return
      }
      const wider = new Int32Array(binCount)
      for (let old = this.from; old <= this.to; old++) {
        const slot = (old >> 1) & mask
        wider[slot] = (wider[slot] ?? 0) + (this.changes[old & mask] ?? 0)
      }
      this.changes = wider
      this.widthNs *= 2
      this.from = Math.floor(this.from / 2)
      this.to = Math.floor(this.to / 2)
    }
  }

  /** At the end of any bin. */
  peak(): number {
    let [now, peak] = [0, 0]
    for (let place = this.from; place <= this.to; place++) {
      now += this.changes[place & mask] ?? 0
      if (now > peak) peak = now
    }
    return peak
  }
}
