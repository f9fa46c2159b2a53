import type { Milliseconds } from '../../lib/run/run'
import type { SampleBatch } from '../rows/sample-batch'

const slotCount = 2_048
/** A request that began this much before an earlier one indicates a moved clock; less is the order of threads. */
const minStepNs = 1e9
const minGapNs = 5e9
const gapOfUsual = 50
/** A gap is explained if a single answer took this share of it: a waiting connection sends nothing. */
const explainedShare = 0.8
const minResults = 10
/** If results outnumber sequence numbers by this factor, numbers repeat. */
const joinedFactor = 1.1

/** Faults of the clock, as seen in the times at which requests began. Null: none. */
export interface ClockFaults {
  /** Largest step by which a request began before one with a lower sequence number. */
  readonly stepBackMs: Milliseconds | null
  /**
   * The longest time in which no request began and none was being answered, with the usual interval between requests.
   */
  readonly gap: { readonly gapMs: Milliseconds; readonly usualMs: Milliseconds } | null
}

/** When requests began, by second (or wider, to fit in 2,048 slots), in any order. Memory: 56 kB. */
export class StartTimes {
  private readonly first = new Float64Array(slotCount)
  private readonly last = new Float64Array(slotCount)
  /** When the last answer to a request of the slot arrived, if one took long. */
  private readonly answered = new Float64Array(slotCount)
  private readonly counts = new Uint32Array(slotCount)
  private widthSeconds = 1
  private from = Infinity
  private to = -Infinity
  private count = 0
  private largestSequence = -1
  /** Start of the latest request read so far, and its number. */
  private latestNs = -Infinity
  private latestSequence = -1
  private stepBackNs = 0
  /** A request began later than one with a higher number: the file contains another attack. */
  private isJoined = false

  /**
   * Counts a batch: `longestNs` is the longest latency so far, times count from `baseSeconds`. Of consecutive results
   * that began in one second, only the first and the last are read: a second is exact enough.
   */
  add(batch: SampleBatch, baseSeconds: number, longestNs: number): void {
    const { crossings, crossed, size } = batch
    for (let at = 0; at < crossed; at++)
      this.addSecond(batch, crossings[at] ?? 0, at + 1 < crossed ? (crossings[at + 1] ?? 0) : size, baseSeconds)
    if (longestNs > explainedShare * minGapNs) this.addLongAnswers(batch, baseSeconds)
  }

  /** Counts the results from one row to another, which all began in one second. */
  private addSecond({ seconds, nanos, sequences }: SampleBatch, from: number, to: number, baseSeconds: number): void {
    const second = seconds[from] ?? 0
    const startNs = (second - baseSeconds) * 1e9
    const one = startNs + (nanos[from] ?? 0)
    const other = startNs + (nanos[to - 1] ?? 0)
    const slot = this.open(second)
    const { first, last, answered, counts } = this
    const isNew = counts[slot] === 0
    counts[slot] = (counts[slot] ?? 0) + to - from
    this.count += to - from
    first[slot] = Math.min(isNew ? Infinity : (first[slot] ?? 0), one, other)
    last[slot] = Math.max(isNew ? -Infinity : (last[slot] ?? 0), one, other)
    if (isNew) answered[slot] = -Infinity
    this.compare(one, sequences[from] ?? -1)
    this.compare(other, sequences[to - 1] ?? -1)
  }

  /**
   * Compares a request with the latest: if number and clock contradict each other, the earlier number shows whether
   * the clock stepped back or the file contains another attack.
   */
  private compare(atNs: number, sequence: number): void {
    const step = this.latestNs - atNs
    if (step > minStepNs && sequence > this.latestSequence && step > this.stepBackNs) this.stepBackNs = step
    if (-step > minStepNs && sequence < this.latestSequence) this.isJoined = true
    if (sequence > this.largestSequence) this.largestSequence = sequence
    if (step >= 0) return
    this.latestNs = atNs
    this.latestSequence = sequence
  }

  private addLongAnswers({ size, seconds, nanos, latencyNs }: SampleBatch, baseSeconds: number): void {
    for (let row = 0; row < size; row++) {
      const latency = latencyNs[row] ?? 0
      if (latency <= explainedShare * minGapNs) continue
      const second = seconds[row] ?? 0
      const end = (second - baseSeconds) * 1e9 + (nanos[row] ?? 0) + latency
      const slot = this.open(second)
      if (end > (this.answered[slot] ?? 0)) this.answered[slot] = end
    }
  }

  private open(second: number): number {
    for (;;) {
      const place = Math.floor(second / this.widthSeconds)
      const from = Math.min(this.from, place)
      const to = Math.max(this.to, place)
      if (to - from < slotCount) {
        this.from = from
        this.to = to
        return slotOfPlace(place)
      }
      this.widen()
    }
  }

  /** Joins slots in pairs. */
  private widen(): void {
    const old = this.filled()
    this.counts.fill(0)
    this.widthSeconds *= 2
    this.from = Math.floor(this.from / 2)
    this.to = Math.floor(this.to / 2)
    for (const { place, count, firstNs, lastNs, answeredNs } of old) {
      const slot = slotOfPlace(Math.floor(place / 2))
      const isNew = this.counts[slot] === 0
      this.counts[slot] = (this.counts[slot] ?? 0) + count
      if (isNew) this.first[slot] = firstNs
      this.last[slot] = lastNs
      this.answered[slot] = isNew ? answeredNs : Math.max(this.answered[slot] ?? -Infinity, answeredNs)
    }
  }

  /** Slots with results, in time order. */
  private filled() {
    const filled: { place: number; count: number; firstNs: number; lastNs: number; answeredNs: number }[] = []
    for (let place = this.from; place <= this.to; place++) {
      const slot = slotOfPlace(place)
      const count = this.counts[slot] ?? 0
      if (count === 0) continue
      const [firstNs, lastNs] = [this.first[slot] ?? 0, this.last[slot] ?? 0]
      filled.push({ place, count, firstNs, lastNs, answeredNs: this.answered[slot] ?? -Infinity })
    }
    return filled
  }

  /** Faults of the times. Results of several attacks in one file, with repeating numbers, may be in any order. */
  faults(): ClockFaults {
    const isJoined = this.largestSequence >= 0 && this.count > joinedFactor * (this.largestSequence + 1)
    if (isJoined || this.isJoined || this.count < minResults) return { stepBackMs: null, gap: null }
    return { stepBackMs: this.stepBackNs > 0 ? this.stepBackNs / 1e6 : null, gap: this.findGap() }
  }

  private findGap(): ClockFaults['gap'] {
    const filled = this.filled()
    const steps: { perResultNs: number; count: number }[] = []
    let gapNs = 0
    let answeredNs = -Infinity
    filled.forEach((slot, index) => {
      const next = filled[index + 1]
      answeredNs = Math.max(answeredNs, slot.answeredNs)
      if (next === undefined) return
      steps.push({ perResultNs: (next.firstNs - slot.firstNs) / slot.count, count: slot.count })
      const gap = next.firstNs - slot.lastNs
      if (gap > gapNs && answeredNs < slot.lastNs + explainedShare * gap) gapNs = gap
    })
    const usualNs = weightedMedian(steps)
    return gapNs > Math.max(minGapNs, gapOfUsual * usualNs) ? { gapMs: gapNs / 1e6, usualMs: usualNs / 1e6 } : null
  }
}

function slotOfPlace(place: number): number {
  return ((place % slotCount) + slotCount) % slotCount
}

/** The usual interval between requests: half of them have their second's pace or a faster one. 0 without any. */
function weightedMedian(steps: { readonly perResultNs: number; readonly count: number }[]): number {
  const half = steps.reduce((sum, { count }) => sum + count, 0) / 2
  let passed = 0
  for (const { perResultNs, count } of steps.sort((a, b) => a.perResultNs - b.perResultNs)) {
    passed += count
    if (passed >= half) return perResultNs
  }
  return 0
}
