import { FlatHistogram, slotOf } from './flat-histogram'
import { encodePlainly, threeDigits } from '../../lib/stats/hdr-codec'
import { Samples } from './samples'

/** V8 learns a function's branches after about eight calls. */
const repeats = 12
const warmedUp = new Set<string>()

/**
 * Reads rows of every kind with `read` before the first file of a form. V8 compiles only the branches that it has seen,
 * and discards the code (20 ms) at the first row of another kind: a new second, a slow response, a failure.
 */
export function warmUpJitOnce(form: string, read: (samples: Samples) => void): void {
  if (warmedUp.has(form)) return
  warmedUp.add(form)
  const samples = new Samples()
  const histogram = new FlatHistogram()
  for (const ns of [1, 2, 5_000, 5_001, 70_000]) histogram.counts[slotOf(ns)] = 1
  for (let round = 0; round < repeats; round++) {
    read(samples)
    histogram.valuesAtRanks([1, 2, 4, 5], 1)
    encodePlainly(histogram.counts.subarray(0, slotOf(70_000) + 1), 70_000, threeDigits, slotOf(1))
  }
}
