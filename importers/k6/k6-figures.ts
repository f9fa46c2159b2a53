import type { Latency, Load, Measure, Milliseconds, Phase, Quantile, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { phaseNames } from './k6-rows'
import { warnOfDropped } from './k6-run'
import { latencyOf } from '../latency-of'

/** A trend as summarised by k6. Which figures it has is a setting. Null: not printed. */
export interface K6Trend {
  readonly minMs: Milliseconds | null
  readonly meanMs: Milliseconds | null
  readonly maxMs: Milliseconds | null
  readonly quantiles: readonly Quantile[]
}

/** k6's figures at the end of a test, whatever the form. Null: not printed. */
export interface K6Figures {
  readonly form: string
  readonly toolVersion: string | null
  readonly name: string | null
  readonly load: Load
  readonly durationMs: Milliseconds | null
  readonly requests: number | null
  readonly requestsPerSecond: number | null
  /** The number of true values of http_req_failed, which k6 calls passes. */
  readonly failed: number | null
  readonly bytesIn: number | null
  readonly bytesOut: number | null
  /** http_req_duration, and its subset of expected responses. */
  readonly all: K6Trend | null
  readonly good: K6Trend | null
  readonly phases: Readonly<Partial<Record<(typeof phaseNames)[number], K6Trend>>>
  readonly iterations: number | null
  readonly droppedIterations: number | null
  readonly checks: { readonly passes: number; readonly fails: number } | null
  readonly maxUsers: number | null
  /** Thresholds that were crossed: `http_req_duration{scenario:buy}: p(95)<5`. */
  readonly crossed: readonly string[]
  readonly printed: Readonly<Record<string, string>>
  readonly complete: boolean
}

/** k6's quantiles are interpolated between two samples, failed requests included. */
export function createK6Run(figures: K6Figures): BlockRun {
  const { requests, failed } = figures
  const successes = requests === null || failed === null || failed > requests ? null : requests - failed
  return {
    ...blankRun('k6', figures.form),
    toolVersion: figures.toolVersion,
    name: figures.name,
    load: figures.load,
    durationMs: figures.durationMs,
    requests,
    successes,
    successRatio: successes === null || !requests ? null : successes / requests,
    requestsPerSecond: figures.requestsPerSecond,
    bytesIn: figures.bytesIn,
    bytesOut: figures.bytesOut,
    latencies: [...describe('all', figures.all, requests), ...describe('success', figures.good, successes)],
    phases: phaseNames.flatMap((name): Phase[] => {
      const trend = figures.phases[name]
      return trend === undefined || trend.meanMs === null
        ? []
        : [{ name, meanMs: trend.meanMs, minMs: trend.minMs, maxMs: trend.maxMs }]
    }),
    measures: measuresOf(figures),
    complete: figures.complete,
    printed: figures.printed,
    warnings: warningsOf(figures),
  }
}

function describe(of: Latency['of'], trend: K6Trend | null, count: number | null): Latency[] {
  if (trend === null || (trend.meanMs === null && trend.quantiles.length === 0)) return []
  return [
    latencyOf({
      of,
      count,
      ...trend,
      method: 'interpolated',
    }),
  ]
}

function measuresOf({ iterations, droppedIterations, checks, maxUsers }: K6Figures): Measure[] {
  const measure = (name: string, value: number | null): Measure[] =>
    value === null ? [] : [{ name, value, unit: null, line: null }]
  return [
    ...measure('iterations', iterations),
    ...measure('dropped-iterations', droppedIterations),
    ...measure('checks', checks && checks.passes + checks.fails),
    ...measure('failed-checks', checks && checks.fails),
    ...measure('max-users', maxUsers),
  ]
}

function warningsOf(figures: K6Figures): Warning[] {
  const { droppedIterations, crossed } = figures
  const dropped = droppedIterations !== null && droppedIterations > 0 ? [warnOfDropped(droppedIterations)] : []
  return [...dropped, ...warnOfFailures(figures), ...warnOfThresholds(crossed)]
}

function warnOfFailures({ requests, failed }: K6Figures): Warning[] {
  if (requests === null || failed === null || failed <= requests) return []
  const message = `k6 counts ${failed} failures of ${requests} requests.`
  return [{ code: 'inconsistent-counts', message, line: null }]
}

function warnOfThresholds(crossed: readonly string[]): Warning[] {
  if (crossed.length === 0) return []
  const message = `k6's thresholds were crossed: ${crossed.slice(0, 10).join('; ')}.`
  return [{ code: 'thresholds-crossed', message, line: null, numbers: { crossed: crossed.length } }]
}
