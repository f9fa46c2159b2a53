import type { ImportedRun, SteadyPart } from './run'

/** The metrics that are known of the part of a run after its warm-up, by id, in reading order. */
export const steadyMetrics: ReadonlyMap<string, (part: SteadyPart) => number | null> = new Map([
  ['requests', (part: SteadyPart) => part.requests],
  ['error-count', (part: SteadyPart) => part.errors],
  ['throughput', (part: SteadyPart) => part.servedPerSecond],
  ['mean', (part: SteadyPart) => part.meanMs],
  ['p50', (part: SteadyPart) => part.p50Ms],
  ['p90', (part: SteadyPart) => part.p90Ms],
  ['p95', (part: SteadyPart) => part.p95Ms],
  ['p99', (part: SteadyPart) => part.p99Ms],
  ['max', (part: SteadyPart) => part.maxMs],
])

/** The part of a run after its warm-up; null: all of it is steady, none is, or nothing is known. */
export const steadyPartOf = (run: Pick<ImportedRun, 'timeline'>): SteadyPart | null =>
  run.timeline?.warmUp?.steady ?? null

/** Whether all of a run is steady, so that its figures are those of its steady state. */
export function isSteadyThroughout({ timeline }: Pick<ImportedRun, 'timeline'>): boolean {
  const warmUp = timeline?.warmUp ?? null
  return warmUp !== null && warmUp.isSteady && warmUp.endMs === 0
}
