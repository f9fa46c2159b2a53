import type { Latency } from '../lib/run/run'

/** A latency distribution of all requests, from a summary with only these figures: all others are null or empty. */
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
