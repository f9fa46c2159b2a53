import { requestedLoadOf } from '../judge/requested-load'
import { guardSentence } from '../judge/guard-words'
import { runGuards } from '../judge/run-guards'
import { formatTick } from '../format'
import { joinWords } from '../text'
import { errorCountOf } from '../run/figures'
import { guardKinds, isBarredBy } from '../run/guard'
import { metricsOf, type Metric } from '../run/metrics'
import type { ImportedRun } from '../run/run'
import { tools, type Tool } from '../run/tools'
import type { Work } from './does-less'

/** What a run was asked to do: all runs of an experiment are asked the same. */
export interface Conditions {
  readonly tool: Tool
  readonly ratePerSecond: number | null
  readonly durationMs: number | null
  readonly requests: number | null
  readonly connections: number | null
}

export type RunOfRound =
  | {
      readonly kind: 'valid'
      readonly value: number
      /** Unit of its last printed place, relative to it; 0: exact, or computed. */
      readonly grainRatio: number
      readonly work: Work
      readonly conditions: Conditions
    }
  | {
      readonly kind: 'void'
      readonly reason: string
      /** The server's fault: its requests failed. */
      readonly isFailing: boolean
    }

/** Loads that were asked for may differ by rounding. */
const maxLoadRatio = 0.02

/**
 * What a run says in the metric that decides, or why it is void: a guard refuses it, it has no such figure, or it was
 * asked for something else than the runs before it (`before`; null: it is the first).
 */
export function runOfRound(run: ImportedRun, metric: Metric, before: Conditions | null): RunOfRound {
  const conditions = conditionsOf(run)
  const other = before === null ? null : otherConditions(before, conditions)
  if (other !== null) return { kind: 'void', reason: other, isFailing: false }
  const guard = runGuards(run).find((one) => guardKinds[one.code] === 'invalid' || isBarredBy(one, metric.id))
  if (guard !== undefined) {
    const isFailing = guard.code === 'errors' || guard.code === 'zero-success'
    return { kind: 'void', reason: guardSentence(guard), isFailing }
  }
  const value = metric.readFrom(run)
  if (value === null || !(value > 0) || !Number.isFinite(value))
    return { kind: 'void', reason: `no ${metric.shortLabel} in its output${othersWords(run)}`, isFailing: false }
  return { kind: 'valid', value, grainRatio: printedGrain(run, metric), work: workOf(run), conditions }
}

/** `0.0038 secs` has a grain of 1/38. */
function printedGrain(run: ImportedRun, metric: Metric): number {
  const key = metric.printedKey(run)
  const [, whole = '', decimals = ''] =
    /^(\d+)(?:\.(\d+))?/.exec((key === null ? undefined : run.printed[key]) ?? '') ?? []
  const inUnits = Number(whole + decimals)
  return inUnits > 0 ? 1 / inUnits : 0
}

function othersWords(run: ImportedRun): string {
  const others = metricsOf('comparison').filter((one) => one.direction !== 'neutral' && (one.readFrom(run) ?? 0) > 0)
  return others.length === 0
    ? ''
    : `; it has ${joinWords(
        others.map(({ id }) => id),
        'and',
      )}`
}

const workOf = (run: ImportedRun): Work => ({
  requests: run.requests ?? 0,
  failures: errorCountOf(run) ?? 0,
  bytes: run.bytesIn ?? 0,
  status: run.statusCodes,
})

function conditionsOf(run: ImportedRun): Conditions {
  const { ratePerSecond, durationMs, requests, connections } = requestedLoadOf(run)
  return { tool: run.tool, ratePerSecond, durationMs, requests, connections }
}

const loads = [
  ['ratePerSecond', 'requests per second'],
  ['durationMs', 'ms'],
  ['requests', 'requests'],
  ['connections', 'connections'],
] as const

/** Null: the same. */
function otherConditions(before: Conditions, now: Conditions): string | null {
  if (now.tool !== before.tool) return `output of ${tools[now.tool].name}, before of ${tools[before.tool].name}`
  for (const [key, unit] of loads) {
    const [one, other] = [before[key], now[key]]
    if (one === other) continue
    if (one === null || other === null || Math.abs(other - one) > maxLoadRatio * one)
      return `another load: ${countOf(other, unit)}, before ${countOf(one, unit)}`
  }
  return null
}

const countOf = (count: number | null, unit: string) => (count === null ? `no ${unit}` : `${formatTick(count)} ${unit}`)
