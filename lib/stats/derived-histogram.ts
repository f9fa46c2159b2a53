import { isSameHistogram } from './histogram'
import type { Latency, LatencyHistogram } from '../run/run'

/**
 * The successes' histogram as "all less the failures"; null where not all three are recorded in one unit. A caller that
 * omits the successes' own histogram must check that it equals this one.
 */
export function deriveSuccesses(latencies: readonly Latency[]): Extract<LatencyHistogram, { kind: 'hdr' }> | null {
  const all = recordedOf(latencies, 'all')
  const failures = recordedOf(latencies, 'failure')
  if (all === null || failures === null || all.unit !== failures.unit) return null
  return { kind: 'hdr', v2Base64: all.v2Base64, lessV2Base64: failures.v2Base64, unit: all.unit }
}

/** Whether the successes' histogram need not be stored: it is exactly all less the failures. */
export function areSuccessesDerivable(latencies: readonly Latency[]): boolean {
  const own = recordedOf(latencies, 'success')
  const derived = deriveSuccesses(latencies)
  return own !== null && derived !== null && isSameHistogram(own, derived)
}

function recordedOf(
  latencies: readonly Latency[],
  of: Latency['of'],
): Extract<LatencyHistogram, { kind: 'hdr' }> | null {
  const histogram = latencies.find((latency) => latency.of === of && latency.origin === 'samples')?.histogram
  return histogram?.kind === 'hdr' && histogram.lessV2Base64 === undefined ? histogram : null
}
