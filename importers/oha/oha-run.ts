import type { ErrorCount, Latency, LatencyBucket, Milliseconds, Phase, Quantile, Warning } from '../../lib/run/run'
import { tools } from '../../lib/run/tools'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { latencyOf } from '../latency-of'

/** A distribution as oha prints it. */
export interface OhaDistribution {
  readonly quantiles: readonly Quantile[]
  /** Inclusive upper bounds, rising, and their counts; the first is the min alone. Empty: none are usable. */
  readonly buckets: readonly { readonly upperMs: Milliseconds; readonly count: number }[]
}

/** The contents of an oha report, whatever its form. Null: not printed, or not a number. */
export interface OhaFigures {
  readonly form: string
  readonly durationMs: Milliseconds | null
  readonly successRatio: number | null
  readonly requestsPerSecond: number | null
  readonly bytesIn: number | null
  readonly minMs: Milliseconds | null
  readonly meanMs: Milliseconds | null
  readonly maxMs: Milliseconds | null
  readonly all: OhaDistribution
  /** With --stats-success-breakdown: responses with a status of 2xx, and the others. */
  readonly good: OhaDistribution | null
  readonly bad: OhaDistribution | null
  readonly phases: readonly Phase[]
  readonly statusCodes: Readonly<Record<string, number>>
  readonly errors: readonly ErrorCount[]
  readonly printed: Readonly<Record<string, string>>
  /** False: codes or errors may be missing. */
  readonly complete: boolean
}

/** oha counts each response as a success, whatever its status, and what it stopped at the end of -z as an error. */
export function createOhaRun(figures: OhaFigures): BlockRun {
  const { complete, errors, statusCodes } = figures
  const answers = sum(Object.values(statusCodes))
  const failed = sum(errors.map(({ count }) => count ?? 0))
  const latencies = createLatencies(figures, complete ? answers : null)
  return {
    ...blankRun('oha', figures.form),
    durationMs: figures.durationMs,
    requests: complete ? answers + failed : null,
    successes: complete ? answers : null,
    successRatio: figures.successRatio,
    requestsPerSecond: figures.requestsPerSecond,
    bytesIn: figures.bytesIn,
    statusCodes: complete ? statusCodes : {},
    errors,
    latencies,
    phases: latencies.length === 0 ? [] : figures.phases,
    complete,
    printed: figures.printed,
    warnings: complete ? warningsOf(figures, answers) : [],
  }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

function createLatencies(figures: OhaFigures, answers: number | null): Latency[] {
  const { minMs, meanMs, maxMs, all, good, bad, statusCodes } = figures
  // Without a response there are only infinities.
  if (meanMs === null && all.quantiles.length === 0) return []
  const whole = describe('all', all, { count: answers, minMs, meanMs, maxMs })
  const isSplitAsHere = Object.keys(statusCodes).every((code) => !/^[13]/.test(code))
  if (!isSplitAsHere) return [whole]
  const parts = [good && describe('success', good, unknown), bad && describe('failure', bad, unknown)]
  return [whole, ...parts.filter((part) => part !== null && part.quantiles.length > 0).map((part) => part as Latency)]
}

const unknown = { count: null, minMs: null, meanMs: null, maxMs: null }

function describe(
  of: Latency['of'],
  { quantiles, buckets }: OhaDistribution,
  known: Pick<Latency, 'count' | 'minMs' | 'meanMs' | 'maxMs'>,
): Latency {
  const counted = sum(buckets.map(({ count }) => count))
  const isCounted = counted > 0 && (known.count === null || counted === known.count)
  const isWhole = isCounted && buckets.length > 1 && buckets.every(({ upperMs }) => upperMs >= 0)
  return latencyOf({
    of,
    ...known,
    quantiles,
    histogram: isWhole ? { kind: 'buckets', inclusive: 'upper', buckets: boundsOf(buckets) } : null,
    method: 'floor-rank',
  })
}

function boundsOf(buckets: OhaDistribution['buckets']): LatencyBucket[] {
  return buckets.map(({ upperMs, count }, at) => ({ lowerMs: buckets[at - 1]?.upperMs ?? upperMs, upperMs, count }))
}

function warningsOf({ errors, statusCodes }: OhaFigures, answers: number): Warning[] {
  const warn = (code: string, message: string, numbers: Readonly<Record<string, number>>): Warning => ({
    code,
    message,
    line: null,
    numbers,
  })
  const bad = sum(Object.entries(statusCodes).map(([code, count]) => (Number(code) >= 400 ? count : 0)))
  const stopped = sum(
    errors.map(({ message, count }) => (message === tools.oha.failures.stoppedAtTheEnd ? (count ?? 0) : 0)),
  )
  return [
    ...(bad > 0
      ? [
          warn(
            'bad-statuses-are-successes',
            `oha counts each response as a success: its success rate holds ${bad} of ${answers} with a status from 400 on. Here they count as failed.`,
            { bad, answers },
          ),
        ]
      : []),
    ...(stopped > 0
      ? [
          warn(
            'stopped-at-the-end',
            `${stopped} ${stopped === 1 ? 'request was' : 'requests were'} in flight when the time was over and stopped by oha: no failure of the service.`,
            { stopped },
          ),
        ]
      : []),
  ]
}
