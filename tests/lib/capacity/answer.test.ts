import { describe, expect, it } from 'vitest'
import { answersOf } from '@/lib/capacity/answer'
import type { CapacityRun } from '@/lib/capacity/capacity-run'
import type { Objective } from '@/lib/capacity/objective'
import { closedRun, openRun } from './sweep-runs'

const p99: Objective = { metric: 'p99', relation: '<=', value: 100 }
const success: Objective = { metric: 'success', relation: '>=', value: 0.99 }

const only = (runs: readonly CapacityRun[], objectives: readonly Objective[] = [p99], target: number | null = null) => {
  const answers = answersOf(runs, objectives, target)
  expect(answers).toHaveLength(1)
  const [answer] = answers
  if (answer === undefined) throw new Error('no answer')
  return answer
}
const thrice = (rate: number, ms: number) => [0.97, 1, 1.03].map((factor) => openRun(rate, ms * factor))

describe('the answer', () => {
  it('is a point and a bracket where the objective is left between levels', () => {
    // 1/latency falls on a line, 1/20 at 200 to 1/400 at 900: 1/100 at 200 + 700 × (1/20 − 1/100) ÷ (1/20 − 1/400).
    const at = (rate: number) => 1 / (1 / 20 - ((rate - 200) / 700) * (1 / 20 - 1 / 400))
    const answer = only([200, 400, 600, 900].flatMap((rate) => thrice(rate, at(rate))))
    expect(answer).toMatchObject({ kind: 'between', lowPerSecond: 600, highPerSecond: 900, limitedBy: 'p99' })
    expect(answer.capacityPerSecond).toBeCloseTo(789, -1)
    expect(answer.warnings).toEqual([])
  })

  it('knows bounds only if no level is on the other side, and then runs beyond', () => {
    expect(only([100, 200, 300].flatMap((rate) => thrice(rate, 20)))).toMatchObject({
      ...{ kind: 'at-least', lowPerSecond: 300, highPerSecond: null, capacityPerSecond: null },
      next: { load: 450, runs: 1 },
    })
    expect(only([160, 200, 300].flatMap((rate) => thrice(rate, 900)))).toMatchObject({
      ...{ kind: 'below', lowPerSecond: null, highPerSecond: 160, next: { load: 100, runs: 1 } },
    })
  })

  it('has no point with fewer than three levels', () => {
    const two = [...thrice(100, 20), ...thrice(200, 900)]
    expect(only(two)).toMatchObject({ kind: 'between', lowPerSecond: 100, highPerSecond: 200, capacityPerSecond: null })
    expect(only(thrice(100, 20))).toMatchObject({ kind: 'at-least', lowPerSecond: 100 })
  })

  it('is undecided where all is near the limit', () => {
    const near = [openRun(100, 97), openRun(200, 101), openRun(300, 104)]
    expect(only(near)).toMatchObject({ kind: 'undecided', warnings: ['no-repeats'], capacityPerSecond: null })
  })

  it('is limited by failures however short the latency is', () => {
    const failing = openRun(300, 5, { failed: 4_000, latencyMs: { p99: 5 } })
    const runs = [openRun(100, 20), openRun(200, 22), failing]
    expect(only(runs, [p99, success])).toMatchObject({ highPerSecond: 300, limitedBy: 'success' })
    expect(only(runs)).toMatchObject({ highPerSecond: 300, limitedBy: 'served' })
    const missing = openRun(300, 5, { missing: 4_000 })
    expect(only([...runs.slice(0, 2), missing], [p99, success])).toMatchObject({ highPerSecond: 300 })
  })

  it('is outside at a rate that was not made', () => {
    const runs = [openRun(100, 20), openRun(200, 22), openRun(300, 25, { madePerSecond: 270 })]
    expect(only(runs)).toMatchObject({ highPerSecond: 300, limitedBy: 'served' })
  })

  it('leaves a load unsure at which runs disagree', () => {
    const stormy = [0, 0, 5_000].map((failed) => openRun(300, 30, { failed }))
    const answer = only(
      [...thrice(100, 20), ...thrice(200, 22), ...stormy, openRun(400, 50, { failed: 6_000 })],
      [success],
    )
    expect(answer).toMatchObject({ lowPerSecond: 200, highPerSecond: 400 })
  })
})

describe('refusals', () => {
  it('names the loads that contradict each other', () => {
    const answer = only([thrice(100, 20), thrice(200, 400), thrice(300, 20)].flat())
    expect(answer).toMatchObject({
      ...{ kind: 'refused', refusal: { reason: 'non-monotone', name: 'p99', outside: 200, inside: 300 }, next: null },
    })
  })

  it('says what is missing', () => {
    const withoutP99 = [100, 200, 300].map((rate) => openRun(rate, 20, { latencyMs: { p50: 5 } }))
    expect(only(withoutP99).refusal).toEqual({ reason: 'metric-missing', metric: 'p99' })
    const withoutLoad = openRun(100, 20, { ratePerSecond: null, loop: null })
    expect(only([withoutLoad]).refusal).toEqual({ reason: 'no-load' })
    const uncounted = [100, 200].map((rate) => openRun(rate, 20, { requests: null }))
    expect(only(uncounted, [success]).refusal).toEqual({ reason: 'metric-missing', metric: 'success' })
  })

  it('refuses levels that each differ in something else', () => {
    const mixed = [100, 200, 300].map((rate) => openRun(rate, 20, { machine: `m${rate}` }))
    expect(only(mixed).refusal).toEqual({ reason: 'mixed' })
  })

  it('answers machines, tools and durations apart', () => {
    const runs = [100, 200, 300].flatMap((rate) => [
      ...[openRun(rate, 20, { machine: 'a' }), openRun(rate, rate * 3, { machine: 'b' })],
      openRun(rate, 20, { machine: 'a', durationMs: 60_000 }),
    ])
    expect(answersOf(runs, [p99], null).map(({ kind }) => kind)).toHaveLength(3)
  })
})

describe('a closed loop', () => {
  // γ = 100, σ = 0.05, κ = 0.002: served most at √(0.95 ÷ 0.002) = 21.8 connections.
  const served = (n: number) => (100 * n) / (1 + 0.05 * (n - 1) + 0.002 * n * (n - 1))
  const runs = [1, 2, 4, 8, 16, 32, 64].flatMap((n) =>
    [0.995, 1, 1.005].map((factor) => closedRun(n, served(n) * factor, ((n * 1_000) / served(n)) * factor)),
  )

  it('answers with the served rate, and the law', () => {
    const answer = only(runs, [{ ...p99, value: 32 }])
    expect(answer).toMatchObject({ kind: 'between', lowConnections: 16, highConnections: 32, limitedBy: 'p99' })
    expect(answer.warnings).toEqual(['served-not-offered', 'coordinated-omission'])
    expect(answer.capacityPerSecond).toBeGreaterThan(600)
    expect(answer.law?.sigma.value).toBeCloseTo(0.05, 2)
    expect(answer.law?.kappa.value).toBeCloseTo(0.002, 3)
    expect(answer.law?.peak?.value).toBeCloseTo(21.8, 0)
    expect(answer.law?.dashedFrom).toBe(64)
  })

  it('prints no law for three levels or an open loop, and no peak for a plateau', () => {
    expect(only(runs.slice(0, 9), [{ ...p99, value: 32 }]).law).toBeNull()
    expect(only(thrice(100, 20)).law).toBeNull()
    const flat = [1, 2, 4, 8, 16, 32].map((n) => closedRun(n, Math.min(800, 100 * n), 10 + n))
    expect(only(flat).law?.peak).toBeNull()
  })

  it('suggests whole connections within the bracket', () => {
    const { next } = only(runs, [{ ...p99, value: 32 }])
    expect(next?.load).toBeGreaterThan(16)
    expect(next?.load).toBeLessThan(32)
    expect(Number.isInteger(next?.load)).toBe(true)
  })
})

describe('a target', () => {
  it('takes instances by point, lower and upper bound', () => {
    const runs = [400, 600, 800, 1_000].flatMap((rate) => thrice(rate, rate > 800 ? 900 : 20))
    const { forTarget, capacityPerSecond } = only(runs, [p99], 2_000)
    expect(forTarget).toMatchObject({ targetPerSecond: 2_000, instancesMost: 3, instancesLeast: 2 })
    expect(forTarget?.headroomRatio).toBeCloseTo((capacityPerSecond ?? 0) / 2_000 - 1)
    const atLeast = only(runs.slice(0, 9), [p99], 2_000)
    expect(atLeast.forTarget).toMatchObject({ instances: null, instancesMost: 3, instancesLeast: null })
    const ofTwo = runs.map((run) => ({ ...run, instances: 2 }))
    expect(only(ofTwo, [p99], 2_000).forTarget).toMatchObject({ instancesMost: 5, instancesLeast: 4 })
  })
})
