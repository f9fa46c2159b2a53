import { describe, expect, it } from 'vitest'
import { holdAgainst } from '@/lib/capacity/objective'

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
})
