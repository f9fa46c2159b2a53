import type { ClockOffset } from './clock-offset'

const binS = 0.004
const reachS = 60
const bins = Math.round((2 * reachS) / binS) + 1
/** The peak must hold this share of the smaller side, and more than any other by this factor. */
const leastShare = 0.15
const leastRatio = 1.3
/** Another peak is at least so far away. */
const apartBins = Math.round(0.1 / binS)
const halfIntervalS = 0.012
/** Pairs that are looked at; beyond, only some of the client's requests are. */
const mostPairs = 2e8

/**
 * Two logs of the same requests whose stamps are finer than 0.1 s: all differences server − client, of which those of
 * the same requests fall into one bin. Seconds, rising. Null: no offset stands out.
 */
export function fingerprint(client: Float64Array, server: Float64Array): ClockOffset | null {
  const counts = new Float64Array(bins)
  const perClient = Math.max(1, (server.length * 2 * reachS) / Math.max(spanOf(server), 2 * reachS))
  const stride = Math.max(1, Math.ceil((client.length * perClient) / mostPairs))
  let from = 0
  let sampled = 0
  for (let at = 0; at < client.length; at += stride) {
    sampled++
    const end = client[at] ?? 0
    while (from < server.length && (server[from] ?? 0) < end - reachS) from++
    for (let other = from; other < server.length && (server[other] ?? 0) <= end + reachS; other++) {
      const bin = Math.round(((server[other] ?? 0) - end + reachS) / binS)
      if (bin >= 0 && bin < bins) counts[bin] = (counts[bin] ?? 0) + 1
    }
  }
  const around = (bin: number) => (counts[bin - 1] ?? 0) + (counts[bin] ?? 0) + (counts[bin + 1] ?? 0)
  let best = 0
  for (let bin = 0; bin < bins; bin++) if (around(bin) > around(best)) best = bin
  let second = 0
  for (let bin = 0; bin < bins; bin++) if (Math.abs(bin - best) > apartBins) second = Math.max(second, around(bin))
  const smaller = Math.min(sampled, (server.length * sampled) / client.length)
  if (around(best) < leastShare * smaller || around(best) < leastRatio * second) return null
  let [sum, weight] = [0, 0]
  for (let bin = Math.max(0, best - 2); bin <= Math.min(bins - 1, best + 2); bin++) {
    sum += bin * (counts[bin] ?? 0)
    weight += counts[bin] ?? 0
  }
  const value = (sum / weight) * binS - reachS
  return { value, low: value - halfIntervalS, high: value + halfIntervalS }
}

const spanOf = (times: Float64Array): number => (times.at(-1) ?? 0) - (times[0] ?? 0)
