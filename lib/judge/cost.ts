import { findMetric } from '../run/metrics'
import type { FieldSummary, LambdaStats, UtcIso } from '../run/run'
import { deltasOf, type ComparisonRow } from './delta'
import { sideFigureOf, type ComparedRun, type NoiseOf, type Side } from './sides'

export type LambdaArchitecture = 'x86_64' | 'arm64'

/** AWS's prices for Lambda in one region at one time, in US dollars, without free tier, tiers and savings plans. */
export interface LambdaPrices {
  readonly region: string
  /** The page that the prices are from, and the date. */
  readonly source: string
  readonly at: string
  readonly usdPerGbSecond: Readonly<Record<LambdaArchitecture, number>>
  readonly usdPerMillionRequests: number
  /** With provisioned concurrency: for reserving it, and for each GB-second of an invocation that uses it. */
  readonly provisionedUsdPerGbSecond: Readonly<Record<LambdaArchitecture, number>>
  readonly provisionedDurationUsdPerGbSecond: Readonly<Record<LambdaArchitecture, number>>
}

/** List prices of us-east-1 (first tier), https://aws.amazon.com/lambda/pricing/, as known in November 2025. */
export const defaultLambdaPrices: LambdaPrices = {
  region: 'us-east-1',
  source: 'https://aws.amazon.com/lambda/pricing/',
  at: '2025-11-01',
  usdPerGbSecond: { x86_64: 0.0000166667, arm64: 0.0000133334 },
  usdPerMillionRequests: 0.2,
  provisionedUsdPerGbSecond: { x86_64: 0.0000041667, arm64: 0.0000033334 },
  provisionedDurationUsdPerGbSecond: { x86_64: 0.0000097222, arm64: 0.0000077778 },
}

/**
 * From this day on the INIT phase of functions with a managed runtime and a ZIP package is billed too; for others it
 * was already. https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/
 */
const initBilledSince = '2025-08-01'

/** What the reader of a comparison may change for one side. Null: unknown, and figures that need it are null. */
export interface CostInputs {
  readonly prices: LambdaPrices
  readonly architecture: LambdaArchitecture
  /** Configured memory; null: the size in the log, if there is only one. */
  readonly memoryMb: number | null
  /** Billing rules of this day (`2026-11-21`) apply to the INIT phase; null: as it was billed in the log. */
  readonly billedAsOf: string | null
  /** Load for which the hourly cost is computed. */
  readonly requestsPerSecond: number | null
  /** Environments with provisioned concurrency, paid for all the time. */
  readonly provisionedConcurrency: number | null
  /** Other instances that must run for this side (servers, containers), and the hourly price of one. */
  readonly instances: number | null
  readonly usdPerInstanceHour: number | null
}

export const defaultCostInputs: CostInputs = {
  prices: defaultLambdaPrices,
  architecture: 'x86_64',
  memoryMb: null,
  billedAsOf: null,
  requestsPerSecond: null,
  provisionedConcurrency: null,
  instances: null,
  usdPerInstanceHour: null,
}

/** The fields needed from a run. */
export interface CostedRun {
  readonly lambda:
    | LambdaStats
    | (Pick<LambdaStats, 'initMs' | 'memorySizeMb'> & {
        readonly billedMs: Pick<FieldSummary, 'count' | 'sum' | 'mean'> | null
      })
    | null
  /** Mean duration of all invocations. */
  readonly meanMs: number | null
  readonly startedAt: UtcIso | null
}

/** US dollars. Null: a figure is missing. */
export interface LambdaCost {
  /** Mean billed time of an invocation, with INIT according to the inputs. */
  readonly billedMsPerRequest: number
  /** `added`, `removed`: the INIT phase was not billed in the log and is now, or vice versa. */
  readonly init: 'as-billed' | 'added' | 'removed'
  readonly memoryMb: number
  readonly gbSecondsPerMillionRequests: number
  readonly computeUsdPerMillionRequests: number
  readonly requestUsdPerMillionRequests: number
  /** Compute and requests, without provisioned concurrency. */
  readonly usdPerMillionRequests: number
  /** For reserving the provisioned environments. Null: none. */
  readonly provisionedUsdPerHour: number | null
  /** At the rate in the inputs, provisioned environments included. */
  readonly usdPerHour: number | null
}

const secondsPerHour = 3_600
const requestsPerMillion = 1e6

/** The cost of a run's invocations. Null: not a Lambda run, or billed duration or memory is unknown. */
export function computeLambdaCost(run: CostedRun, inputs: CostInputs): LambdaCost | null {
  const memoryMb = inputs.memoryMb ?? findMemoryMb(run.lambda)
  const billed = findBilledMs(run, inputs.billedAsOf)
  if (memoryMb === null || billed === null) return null
  const { prices, architecture, provisionedConcurrency, requestsPerSecond } = inputs
  const isProvisioned = provisionedConcurrency !== null && provisionedConcurrency > 0
  const memoryGb = memoryMb / 1_024
  const gbSecondsPerMillionRequests = (billed.meanMs / 1_000) * memoryGb * requestsPerMillion
  const perGbSecond = isProvisioned ? prices.provisionedDurationUsdPerGbSecond : prices.usdPerGbSecond
  const computeUsdPerMillionRequests = gbSecondsPerMillionRequests * perGbSecond[architecture]
  const usdPerMillionRequests = computeUsdPerMillionRequests + prices.usdPerMillionRequests
  const provisionedUsdPerHour = isProvisioned
    ? provisionedConcurrency * memoryGb * secondsPerHour * prices.provisionedUsdPerGbSecond[architecture]
    : null
  return {
    billedMsPerRequest: billed.meanMs,
    init: billed.init,
    memoryMb,
    gbSecondsPerMillionRequests,
    computeUsdPerMillionRequests,
    requestUsdPerMillionRequests: prices.usdPerMillionRequests,
    usdPerMillionRequests,
    provisionedUsdPerHour,
    usdPerHour:
      requestsPerSecond === null
        ? null
        : (usdPerMillionRequests / requestsPerMillion) * requestsPerSecond * secondsPerHour +
          (provisionedUsdPerHour ?? 0),
  }
}

/** Memory of all invocations; null: the log has none or several sizes. */
function findMemoryMb(lambda: Pick<LambdaStats, 'memorySizeMb'> | null): number | null {
  const sizes = Object.keys(lambda?.memorySizeMb ?? {})
  const [only] = sizes
  return sizes.length === 1 && only !== undefined ? Number(only) : null
}

interface BilledTime {
  readonly meanMs: number
  readonly init: LambdaCost['init']
}

function findBilledMs({ lambda, meanMs, startedAt }: CostedRun, asOf: string | null): BilledTime | null {
  const billed = lambda?.billedMs ?? null
  if (lambda === null || billed === null || billed.count === 0) return null
  const asBilled: BilledTime = { meanMs: billed.mean, init: 'as-billed' }
  const init = lambda.initMs
  if (asOf === null || init === null || init.sum === 0) return asBilled
  const wasBilled = isInitBilled(billed, init.sum, meanMs, startedAt)
  const isToBeBilled = asOf >= initBilledSince
  if (wasBilled === null || wasBilled === isToBeBilled) return asBilled
  const changeMs = init.sum / billed.count
  return isToBeBilled
    ? { meanMs: billed.mean + changeMs, init: 'added' }
    : { meanMs: Math.max(0, billed.mean - changeMs), init: 'removed' }
}

/** Decided by the sums: rounding up adds at most 1 ms to an invocation. If these do not decide, by the run's date. */
function isInitBilled(
  billed: { readonly count: number; readonly sum: number },
  initSum: number,
  meanMs: number | null,
  startedAt: UtcIso | null,
): boolean | null {
  if (meanMs !== null) {
    const durationSum = meanMs * billed.count
    if (billed.sum < durationSum + initSum - 1e-6) return false
    if (billed.sum > durationSum + billed.count) return startedAt === null || startedAt >= finelyBilledSince
  }
  return startedAt === null ? null : startedAt >= initBilledSince
}

/**
 * Before this day bills were multiples of 100 ms:
 * https://aws.amazon.com/blogs/aws/new-for-aws-lambda-1ms-billing-granularity-adds-cost-savings/
 */
const finelyBilledSince = '2020-12-01'

/** The hourly cost of a side's instances in US dollars. Null: number or price is unknown. */
export function computeInstanceUsdPerHour({ instances, usdPerInstanceHour }: CostInputs): number | null {
  return instances === null || usdPerInstanceHour === null ? null : instances * usdPerInstanceHour
}

/** The instances' cost per million requests at the rate in the inputs. Null: one of these is unknown. */
export function computeInstanceUsdPerMillionRequests(inputs: CostInputs): number | null {
  const usdPerHour = computeInstanceUsdPerHour(inputs)
  const { requestsPerSecond } = inputs
  if (usdPerHour === null || requestsPerSecond === null || requestsPerSecond <= 0) return null
  return (usdPerHour / (requestsPerSecond * secondsPerHour)) * requestsPerMillion
}

/** A number of instances that run for a time. `hours` null: unknown. */
export interface InstanceTime {
  readonly instances: number | null
  readonly hours: number | null
}

/**
 * The cost of a side's instances as a ratio of the base's, for instances of one price: 20 instances cost 0.2 of 100.
 * Times count when both are known. Null: a number is missing or the base has none.
 */
export function compareInstanceTime(base: InstanceTime, side: InstanceTime): number | null {
  if (base.instances === null || side.instances === null) return null
  const hasHours = base.hours !== null && side.hours !== null
  const baseHours = base.instances * (hasHours ? (base.hours ?? 1) : 1)
  const sideHours = side.instances * (hasHours ? (side.hours ?? 1) : 1)
  return baseHours > 0 ? sideHours / baseHours : null
}

/** A side's cost as a ratio of the base's; null: one is unknown or the base is 0. */
export function compareCost(baseUsd: number | null, sideUsd: number | null): number | null {
  return baseUsd === null || sideUsd === null || baseUsd <= 0 ? null : sideUsd / baseUsd
}

interface KnownRates<Run> {
  /** The comparison's rows, which include the rate to be divided. */
  readonly rows: readonly ComparisonRow[]
  readonly noiseOf: NoiseOf<Run>
  /** Null: unknown. */
  readonly instancesOf: (run: Run) => number | null
}

/**
 * What one instance serves, judged like the rate itself: dividing by a known number changes neither noise nor method.
 * Null: the instances of a run are unknown, or all runs have as many, so the rate already shows it.
 */
export function servedPerInstance<Run extends ComparedRun>(
  base: Side<Run>,
  others: readonly Side<Run>[],
  { rows, noiseOf, instancesOf }: KnownRates<Run>,
): ComparisonRow | null {
  const counts = [base, ...others].flat().map(instancesOf)
  if (counts.some((count) => count === null || count <= 0) || new Set(counts).size < 2) return null
  const shown = ['throughput', 'requests-per-second'].find((id) => rows.some(({ metric }) => metric.id === id))
  const metric = shown === undefined ? null : findMetric(shown)
  if (metric === null) return null
  const divided = (run: Run): Run => {
    const value = metric.read(run.figures)
    return {
      ...run,
      figures: { ...run.figures, [metric.key]: value === null ? null : value / (instancesOf(run) ?? 1) },
    }
  }
  const dividedSide = ([first, ...rest]: Side<Run>): Side<Run> => [divided(first), ...rest.map(divided)]
  const dividedBase = dividedSide(base)
  const figure = sideFigureOf(dividedBase.map((run) => metric.read(run.figures)))
  const name = (label: string) => `${label} per instance`
  return {
    metric: { ...metric, label: name(metric.label), shortLabel: name(metric.shortLabel) },
    baseValue: figure.value,
    baseSpreadRatio: figure.spreadRatio,
    baseReason: null,
    deltas: others.flatMap(
      (side) =>
        deltasOf(dividedBase, dividedSide(side), [metric], { noiseOf, candidates: others.length }).get(metric.id) ?? [],
    ),
  }
}
