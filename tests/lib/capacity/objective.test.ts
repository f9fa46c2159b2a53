import { describe, expect, it } from 'vitest'
import { holdAgainst, objectiveOf, objectiveWords, parseObjective } from '@/lib/capacity/objective'

describe('parseObjective', () => {
  it.each([
    ['p99<100ms', { metric: 'p99', relation: '<', value: 100 }],
    ['P99 ≤ 1.5 s', { metric: 'p99', relation: '<=', value: 1_500 }],
    ['p99.9<=250us', { metric: 'p99.9', relation: '<=', value: 0.25 }],
    ['mean<20µs', { metric: 'mean', relation: '<', value: 0.02 }],
    ['success>99.9%', { metric: 'success', relation: '>', value: 0.999 }],
    ['success ≥ 0.99', { metric: 'success', relation: '>=', value: 0.99 }],
  ])('reads %s', (text, objective) => {
    expect(parseObjective(text)).toEqual(objective)
  })

  it.each(['', 'p99', 'p99<100', 'p99>100ms', 'p99<0ms', 'p42<1ms', 'success<99%', 'success>100%', 'success>5ms'])(
    'refuses %j',
    (text) => {
      expect(parseObjective(text)).toBeNull()
    },
  )
})

describe('objectiveOf', () => {
  it.each([
    [{ metricId: 'p99', side: 'above', limit: 80 }, 'p99 ≤ 80\u00a0ms'],
    [{ metricId: 'p999', side: 'above', limit: 250 }, 'p99.9 ≤ 250\u00a0ms'],
    [{ metricId: 'success-ratio', side: 'below', limit: 0.999 }, 'success ≥ 99.9\u00a0%'],
    [{ metricId: 'error-ratio', side: 'above', limit: 0.001 }, 'success ≥ 99.9\u00a0%'],
    // Nothing that a load could be held against.
    [{ metricId: 'p99', side: 'below', limit: 80 }, null],
    [{ metricId: 'throughput', side: 'below', limit: 800 }, null],
    [{ metricId: 'error-ratio', side: 'above', limit: 0 }, null],
  ] as const)('reads the limit %j', (limit, words) => {
    const objective = objectiveOf(limit)
    expect(objective && objectiveWords(objective)).toBe(words)
  })
})

describe('holdAgainst', () => {
  const limit = { metric: 'p99', relation: '<', value: 80 } as const

  it('says by how much', () => {
    expect(holdAgainst(limit, 93.1)).toEqual({ metric: 'p99', met: false, by: 13.1 })
    expect(holdAgainst(limit, 68)).toEqual({ metric: 'p99', met: true, by: -12 })
    expect(holdAgainst({ metric: 'success', relation: '>', value: 0.999 }, 0.995).by).toBe(0.004)
  })

  it('tells < from ≤ at equality only', () => {
    expect(holdAgainst(limit, 80).met).toBe(false)
    expect(holdAgainst({ ...limit, relation: '<=' }, 80).met).toBe(true)
  })

  it('is written as it was set', () => {
    expect(objectiveWords(limit)).toBe('p99 < 80\u00a0ms')
    expect(objectiveWords({ metric: 'success', relation: '>=', value: 0.999 })).toBe('success ≥ 99.9\u00a0%')
  })
})
