/** What an objective can be about, with the quantile that its error is that of; a mean moves as its 63rd percentile. */
export const latencyQuantiles = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, 'p99.9': 0.999, mean: 0.632 } as const

export type LatencyMetric = keyof typeof latencyQuantiles

/** What is asked of a system: `value` in milliseconds, for success a ratio. */
export type Objective =
  | { readonly metric: LatencyMetric; readonly relation: '<' | '<='; readonly value: number }
  | { readonly metric: 'success'; readonly relation: '>' | '>='; readonly value: number }

/** A run held against an objective. `by`: how far beyond (positive) or within, in the objective's unit; null: not known. */
export interface HeldRun {
  readonly metric: Objective['metric']
  readonly met: boolean | null
  readonly by: number | null
}

/** Whether a run meets an objective by the value that it shows; `<` and `≤` differ only at equality. Null: no value. */
export function holdAgainst(objective: Objective, value: number | null): HeldRun {
  const { metric, relation, value: limit } = objective
  if (value === null) return { metric, met: null, by: null }
  const beyond = metric === 'success' ? limit - value : value - limit
  const met = relation === '<' || relation === '>' ? beyond < 0 : beyond <= 0
  return { metric, met, by: Number(beyond.toFixed(9)) }
}
