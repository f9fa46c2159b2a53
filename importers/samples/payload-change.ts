import { median } from '../../lib/stats/robust'
import type { ResultSample } from './result-sample'

const maxCompared = 1_024
const minPerThird = 10
const maxFactor = 1.02
/** Scattered sizes have different medians in any two thirds: they must differ by this many standard errors. */
const minZ = 4

/** Median size of the successful answers in the first and the last third of a run's time, bytes. */
export interface PayloadChange {
  readonly firstBytes: number
  readonly lastBytes: number
}

/**
 * How the size of successful answers changed during a run, by more than 2 %. Null: unchanged, or too few answers to
 * tell. `firstNs`, `lastNs`: when the first and the last request began.
 */
export function payloadChange(sample: ResultSample, firstNs: number, lastNs: number): PayloadChange | null {
  const thirdNs = (lastNs - firstNs) / 3
  const first: number[] = []
  const last: number[] = []
  sample.forEach(({ startNs, bytesIn, hasFailed }) => {
    if (hasFailed) return
    if (startNs <= firstNs + thirdNs) first.push(bytesIn)
    else if (startNs >= lastNs - thirdNs) last.push(bytesIn)
  }, maxCompared)
  if (first.length < minPerThird || last.length < minPerThird) return null
  const [firstBytes, lastBytes] = [median(first), median(last)]
  if (Math.max(firstBytes, lastBytes) <= maxFactor * Math.min(firstBytes, lastBytes)) return null
  return partedBy((firstBytes + lastBytes) / 2, first, last) > minZ ? { firstBytes, lastBytes } : null
}

/** Number of standard errors by which the shares of values above a middle differ between two samples. */
function partedBy(middle: number, a: readonly number[], b: readonly number[]): number {
  const countAbove = (values: readonly number[]) => values.filter((one) => one > middle).length
  const [ofA, ofB] = [countAbove(a), countAbove(b)]
  const share = (ofA + ofB) / (a.length + b.length)
  const error = Math.sqrt(share * (1 - share) * (1 / a.length + 1 / b.length))
  return Math.abs(ofA / a.length - ofB / b.length) / error
}
