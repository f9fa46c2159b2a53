import type { ImportedRun, SteadyPart } from './run'

/** The metrics known for a run's steady part, by id, in reading order. */
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

/** The steady state of a run. `part` null: all of the run is steady, so its own figures apply. */
export interface SteadyState {
  readonly part: SteadyPart | null
}

/**
 * The steady state of a run; null: it has no samples, never becomes steady, or has no steady part that is long enough.
 */
export function steadyStateOf(run: Pick<ImportedRun, 'timeline'>): SteadyState | null {
  const part = steadyPartOf(run)
  return part !== null || isSteadyThroughout(run) ? { part } : null
}

/** Which part of runs a project judges its series by. */
export const judgedWindows = ['whole', 'steady'] as const

/**
 * Which part of a run its figures in a series are of. steady: its steady part. mixed: the whole run, although its
 * project uses steady parts, because not every run of the load profile has one. unsteady: the whole run, without
 * latency and served/s, because it is a candidate without a steady part in a profile where all runs have one.
 */
export const judgedParts = ['whole', 'steady', 'mixed', 'unsteady'] as const
export type JudgedPart = (typeof judgedParts)[number]

/** Whether all of a run is steady, so that its figures are those of its steady state. */
export function isSteadyThroughout({ timeline }: Pick<ImportedRun, 'timeline'>): boolean {
  const warmUp = timeline?.warmUp ?? null
  return warmUp !== null && warmUp.isSteady && warmUp.endMs === 0
}
