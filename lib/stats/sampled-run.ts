import { formatCount } from '../format'
import { leadingLatency } from '../run/figures'
import { percentiles, type Metric, type RunFigures } from '../run/metrics'
import type { ImportedRun } from '../run/run'
import { areFew } from './few-samples'
import { minAbove } from './quantile'

/** A run whose percentiles may rest on few samples; in lists it has its figures only. */
export interface SampledRun {
  readonly figures: Pick<RunFigures, 'requests'>
  readonly imported?: Pick<ImportedRun, 'latencies' | 'tool' | 'requests'> | undefined
}

/** How many values the percentiles of a run are of; in lists, its requests. Null: unknown. */
export const samplesOf = ({ figures, imported }: SampledRun): number | null =>
  imported === undefined ? figures.requests : (leadingLatency(imported)?.count ?? null)

/**
 * Whether a metric is a percentile that rests on few samples in most of these runs: fewer than 10 values are beyond it.
 * It is dotted and hollow in plots, and underlined with dots in tables, wherever it is shown.
 */
export function restsOnFew({ id }: Pick<Metric, 'id'>, runs: readonly SampledRun[]): boolean {
  const q = percentiles.find((one) => one.id === id)?.q
  return q !== undefined && areFew(q, runs.map(samplesOf))
}

/** Why a percentile of this run fades. */
export const fewWords = (run: SampledRun): string =>
  `Fewer than ${minAbove} of ${formatCount(samplesOf(run))} requests are slower: it rests on few samples.`
