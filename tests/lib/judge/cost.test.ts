import { describe, expect, it } from 'vitest'
import {
  compareCost,
  compareInstanceTime,
  computeInstanceUsdPerHour,
  computeInstanceUsdPerMillionRequests,
  computeLambdaCost,
  defaultCostInputs,
  type CostedRun,
} from '@/lib/judge/cost'
import type { FieldSummary } from '@/lib/run/run'

const summary = (count: number, sum: number): FieldSummary => ({
  count,
  sum,
  min: sum / count,
  mean: sum / count,
  max: sum / count,
  quantiles: [],
})
const runOf = (billedSum: number, meanMs: number, initSum = 0, startedAt: string | null = null): CostedRun => ({
  meanMs,
  startedAt,
  lambda: {
    functionName: null,
    invocations: 10,
    billedMs: summary(10, billedSum),
    initMs: initSum > 0 ? summary(1, initSum) : null,
    restoreMs: null,
    billedRestoreMs: null,
    maxMemoryUsedMb: null,
    coldMs: null,
    warmMs: null,
    memorySizeMb: { 1024: 10 },
    coldStarts: initSum > 0 ? 1 : 0,
    statuses: { success: 10 },
    errorTypes: {},
    logStreams: null,
  },
})

describe('computeLambdaCost', () => {
  it('is GB-seconds and requests', () => {
    // 100 ms × 1 GB × 1e6 = 100,000 GB-s × 0.0000166667 = $1.66667, and $0.20 for the requests.
    const cost = computeLambdaCost(runOf(1_000, 99.5), { ...defaultCostInputs, requestsPerSecond: 50 })
    expect(cost).toMatchObject({ billedMsPerRequest: 100, init: 'as-billed', memoryMb: 1_024 })
    expect(cost?.gbSecondsPerMillionRequests).toBeCloseTo(100_000, 6)
    expect(cost?.computeUsdPerMillionRequests).toBeCloseTo(1.66667, 9)
    expect(cost?.usdPerMillionRequests).toBeCloseTo(1.86667, 9)
    // 50/s are 180,000 requests an hour.
    expect(cost?.usdPerHour).toBeCloseTo(0.3360006, 9)
  })

  it('uses the architecture and memory of the inputs', () => {
    const cost = computeLambdaCost(runOf(1_000, 99.5), { ...defaultCostInputs, architecture: 'arm64', memoryMb: 128 })
    // 100,000 / 8 GB-s × 0.0000133334
    expect(cost?.computeUsdPerMillionRequests).toBeCloseTo(0.1666675, 9)
    expect(cost?.usdPerHour).toBeNull()
  })

  it('bills the INIT phase by the rules on its date', () => {
    const old = runOf(1_000, 99.5, 500, '2024-05-01T00:00:00.000Z')
    const asOf = (run: CostedRun, billedAsOf: string) =>
      computeLambdaCost(run, { ...defaultCostInputs, billedAsOf }) ?? expect.fail('no cost')
    // 500 ms of INIT over 10 invocations.
    expect(asOf(old, '2025-08-01')).toMatchObject({ billedMsPerRequest: 150, init: 'added' })
    expect(asOf(old, '2025-07-31')).toMatchObject({ billedMsPerRequest: 100, init: 'as-billed' })
    const billed = runOf(1_500, 99.5, 500, '2026-05-01T00:00:00.000Z')
    expect(asOf(billed, '2026-11-21')).toMatchObject({ billedMsPerRequest: 150, init: 'as-billed' })
    expect(asOf(billed, '2025-07-31')).toMatchObject({ billedMsPerRequest: 100, init: 'removed' })
    // A container that was billed for its INIT earlier: the sums show it, whatever the date.
    const container = runOf(1_500, 99.5, 500, '2024-05-01T00:00:00.000Z')
    expect(asOf(container, '2026-11-21')).toMatchObject({ billedMsPerRequest: 150, init: 'as-billed' })
    // 2 ms of INIT vanish in rounding: the date decides, and without a date nothing is changed.
    expect(asOf(runOf(1_000, 99.5, 2, '2024-05-01T00:00:00.000Z'), '2026-11-21').init).toBe('added')
    expect(asOf(runOf(1_000, 99.5, 2), '2026-11-21').init).toBe('as-billed')
  })

  it('adds provisioned concurrency, used or not', () => {
    const inputs = { ...defaultCostInputs, provisionedConcurrency: 20, requestsPerSecond: 50 }
    const cost = computeLambdaCost(runOf(1_000, 99.5), inputs)
    // 20 × 1 GB × 3,600 s × 0.0000041667
    expect(cost?.provisionedUsdPerHour).toBeCloseTo(0.3000024, 9)
    // 100,000 GB-s × 0.0000097222 + 0.20 = 1.17222 per million, 0.18 million an hour.
    expect(cost?.usdPerHour).toBeCloseTo(0.2109996 + 0.3000024, 9)
  })

  it('is null if memory or billed duration is unknown', () => {
    const { lambda, ...rest } = runOf(1_000, 99.5)
    if (lambda === null) return expect.fail('no lambda')
    const withLambda = (change: Partial<typeof lambda>) =>
      computeLambdaCost({ ...rest, lambda: { ...lambda, ...change } }, defaultCostInputs)
    expect(withLambda({ memorySizeMb: {} })).toBeNull()
    expect(withLambda({ memorySizeMb: { 128: 5, 256: 5 } })).toBeNull()
    expect(withLambda({ billedMs: null })).toBeNull()
    expect(computeLambdaCost({ ...rest, lambda: null }, defaultCostInputs)).toBeNull()
  })
})

describe('instances', () => {
  it('cost by number and time', () => {
    expect(compareInstanceTime({ instances: 100, hours: null }, { instances: 20, hours: null })).toBe(0.2)
    expect(compareInstanceTime({ instances: 100, hours: 1 }, { instances: 20, hours: 3 })).toBeCloseTo(0.6, 12)
    expect(compareInstanceTime({ instances: 0, hours: null }, { instances: 20, hours: null })).toBeNull()
    expect(compareInstanceTime({ instances: null, hours: 1 }, { instances: 20, hours: 3 })).toBeNull()
  })

  it('cost by price and rate', () => {
    const inputs = { ...defaultCostInputs, instances: 4, usdPerInstanceHour: 0.17, requestsPerSecond: 1_000 }
    expect(computeInstanceUsdPerHour(inputs)).toBeCloseTo(0.68, 12)
    // 3.6 million requests an hour
    expect(computeInstanceUsdPerMillionRequests(inputs)).toBeCloseTo(0.188888888888, 9)
    expect(computeInstanceUsdPerHour({ ...inputs, instances: null })).toBeNull()
    expect(computeInstanceUsdPerMillionRequests({ ...inputs, requestsPerSecond: 0 })).toBeNull()
    expect(compareCost(2, 0.5)).toBe(0.25)
    expect(compareCost(0, 0.5)).toBeNull()
  })
})
