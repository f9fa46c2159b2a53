import type { Latency } from '../lib/run/run'

/** A latency distribution of all requests, from a summary, of which only these figures are known: every other is null or empty. */
export function latencyOf(known: Pick<Latency, 'method'> & Partial<Latency>): Latency {
  return {
    of: 'all',
    count: null,
    minMs: null,
    meanMs: null,
    stdDevMs: null,
    maxMs: null,
    withinOneStdDevRatio: null,
    quantiles: [],
    histogram: null,
    origin: 'summary',
    ...known,
  }
}
