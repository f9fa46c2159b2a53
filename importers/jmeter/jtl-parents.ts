import { ByteKeys } from '../text/byte-keys'
import type { JtlSample } from './jtl-sample'

/** Most threads and labels distinguished at once; the next one starts a new table. */
const maxThreads = 4_096
const maxLabels = 4_096
/** Requests of a thread whose hops may still come: threads of several machines may share a name, or have none. */
const keptPerThread = 16
/** A hop of a hop of a hop … */
const maxLevels = 5
const maxDigits = 4
const hyphen = 45

/** The last requests of each thread, by the numbers of threads and labels. Memory: at most 4 MB. */
class LastRequests {
  readonly threads = new ByteKeys(maxThreads)
  /** Labels without a number in the targets. */
  readonly labels = new ByteKeys(maxLabels)
  private readonly next = new Uint8Array(maxThreads)
  private readonly label = new Int32Array(maxThreads * keptPerThread).fill(-1)
  private readonly startMs = new Float64Array(maxThreads * keptPerThread)
  private readonly endMs = new Float64Array(maxThreads * keptPerThread)

  keep(thread: number, label: number, startMs: number, elapsedMs: number): void {
    const turn = this.next[thread] ?? 0
    const place = thread * keptPerThread + turn
    this.label[place] = label
    this.startMs[place] = startMs
    this.endMs[place] = startMs + elapsedMs
    this.next[thread] = (turn + 1) % keptPerThread
  }

  /** Whether a request of this label contains the span; without times (−1) the last one must have the label. */
  holds(thread: number, label: number, startMs: number, endMs: number): boolean {
    const from = thread * keptPerThread
    const last = from + (((this.next[thread] ?? 0) + keptPerThread - 1) % keptPerThread)
    if (startMs < 0) return this.label[last] === label
    for (let place = from; place < from + keptPerThread; place++)
      if (this.label[place] === label && startMs >= (this.startMs[place] ?? 0) && endMs <= (this.endMs[place] ?? 0) + 1)
        return true
    return false
  }
}

/**
 * Distinguishes the hops of redirects from requests: JMeter writes a request and then its parts (`moved`, `moved-0`,
 * `moved-1`), while other threads write theirs. Labels have the numbers of `targets`, as far as these go.
 */
export class JtlParents {
  private current = new LastRequests()
  private before: LastRequests | null = null

  constructor(private readonly targets: ByteKeys) {}

  /** Remembers a request whose hops may follow. */
  keep(sample: JtlSample): void {
    const { view, threadFrom, threadTo, target, startMs, elapsedMs } = sample
    const thread = this.current.threads.find(view, threadFrom, threadTo)
    if (target < this.targets.rest && thread < maxThreads) this.current.keep(thread, target, startMs, elapsedMs)
    else this.keepRest(sample)
  }

  /** The same for more threads or labels than have numbers. */
  private keepRest({ view, threadFrom, threadTo, labelFrom, labelTo, target, startMs, elapsedMs }: JtlSample): void {
    for (const isSecond of [false, true]) {
      const { threads, labels } = this.current
      const { rest } = this.targets
      const thread = threads.find(view, threadFrom, threadTo)
      const label = target < rest ? target : rest + labels.find(view, labelFrom, labelTo)
      if (thread < maxThreads && label < rest + maxLabels) {
        this.current.keep(thread, label, startMs, elapsedMs)
        return
      }
      // Longer than any name.
      if (isSecond) return
      this.before = this.current
      this.current = new LastRequests()
    }
  }

  /** Whether a request of the same thread contains this one and has its label without the number. */
  isHop(sample: JtlSample): boolean {
    const { view, labelFrom } = sample
    let to = withoutNumber(view, labelFrom, sample.labelTo)
    for (let level = 0; level < maxLevels && to > labelFrom; level++) {
      if (this.isPartOf(sample, to)) return true
      to = withoutNumber(view, labelFrom, to)
    }
    return false
  }

  /** Whether a request of the same thread, with the label up to `to`, contains it. */
  private isPartOf({ view, threadFrom, threadTo, labelFrom, startMs, elapsedMs }: JtlSample, to: number): boolean {
    const target = this.targets.peek(view, labelFrom, to)
    for (const requests of [this.current, this.before]) {
      if (requests === null) continue
      const thread = requests.threads.peek(view, threadFrom, threadTo)
      const rest = requests.labels.peek(view, labelFrom, to)
      const label = target >= 0 ? target : rest >= 0 ? this.targets.rest + rest : -1
      if (thread >= 0 && label >= 0 && requests.holds(thread, label, startMs, startMs + elapsedMs)) return true
    }
    return false
  }
}

/** Where a label ends without its `-12`; −1: no such end. Nearly none has one, which its last byte shows. */
export function withoutNumber(view: DataView, from: number, to: number): number {
  let at = to - 1
  while (at >= from && to - 1 - at < maxDigits && isDigit(view.getUint8(at))) at--
  return at < to - 1 && at >= from && view.getUint8(at) === hyphen ? at : -1
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57
