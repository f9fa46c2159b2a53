import { leadingLatency } from '../run/figures'
import { percentiles, type Metric, type RunFigures } from '../run/metrics'
import type { ImportedRun } from '../run/run'
import { hasFewBeyond, minAbove } from './quantile'
import { formatCount } from '../format'

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

/** The same for a quantile and the numbers of values behind it. */
export function areFew(q: number, counts: readonly (number | null)[]): boolean {
  return 2 * counts.filter((count) => count !== null && hasFewBeyond(q, count)).length > counts.length
}

/** Why it fades, of any run. */
export const fewRule = `Fewer than ${minAbove} requests are slower: it rests on few samples.`

/** The same of this run. */
export const fewWords = (run: SampledRun): string =>
  `Fewer than ${minAbove} of ${formatCount(samplesOf(run))} requests are slower: it rests on few samples.`

/** Texts in rows below a head. */
interface WordTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * A table of percentiles with a last column that names what rests on few samples; without any, as it is. `few`: by row,
 * the names of those.
 */
export function withFew({ head, rows }: WordTable, few: readonly (readonly string[])[]): WordTable {
  if (few.every((names) => names.length === 0)) return { head, rows }
  const isSingle = head.length === 2
  const words = (names: readonly string[] = []) => (isSingle && names.length > 0 ? 'yes' : names.join(', '))
  return { head: [...head, 'Few samples'], rows: rows.map((row, at) => [...row, words(few[at])]) }
}
