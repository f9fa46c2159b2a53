import { leadingLatency } from '@/lib/run/figures'
import type { ImportedRun, Latency } from '@/lib/run/run'
import type { PlottedRun } from '../charts/plotted-run'

/** The real runs in the explanations: those of the sample documents, read by the importers. */
export interface LearnSamples {
  /** hey against Lambda, closed loop; the first two are one operation over two paths. */
  readonly hey: readonly ImportedRun[]
  /** wrk, one service on two machines. */
  readonly wrk: readonly ImportedRun[]
}

/** Props of every explanation. */
export interface ArticleProps {
  readonly samples: LearnSamples
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
}

/** A run's name on a plot: its variant, else its environment, else its scenario. */
export function sampleName({ proposal }: ImportedRun): string {
  return proposal.variant ?? proposal.environment ?? proposal.scenario ?? 'run'
}

/** The leading latency of a run. Throws when the run has none: an explanation without its data is a defect. */
export function latencyOf(run: Pick<ImportedRun, 'latencies' | 'tool'>): Latency {
  const latency = leadingLatency(run)
  if (!latency) throw new Error('A run of the explanations has no latency')
  return latency
}

const shownQuantiles = [
  0, 0.1, 0.25, 0.5, 0.75, 0.8, 0.85, 0.88, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9999,
]

/** A plotted run of constructed values in ms, in any order; quantiles by nearest rank. At least one value. */
export function constructedRun(id: string, name: string, valuesMs: readonly number[]): PlottedRun {
  const rising = Float64Array.from(valuesMs).sort()
  const count = rising.length
  const at = (q: number) => rising[Math.max(0, Math.ceil(q * count) - 1)] ?? Number.NaN
  const latency: Latency = {
    of: 'all',
    count,
    minMs: at(0),
    meanMs: valuesMs.reduce((sum, ms) => sum + ms, 0) / count,
    stdDevMs: null,
    maxMs: at(1),
    withinOneStdDevRatio: null,
    quantiles: shownQuantiles.filter((q) => (1 - q) * count > 1.5).map((q) => ({ q, ms: at(q) })),
    histogram: null,
    origin: 'samples',
    method: 'nearest-rank',
  }
  return { id, name, imported: { latencies: [latency], tool: 'vegeta', requests: count } }
}

/**
 * Numbers in [0, 1), always the same for a seed: the mulberry32 generator, so that all readers see the same example.
 */
export function steadyNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
