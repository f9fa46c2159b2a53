import { describe, expect, it } from 'vitest'
import { limitName, limitsOfMetric, missedBy, missedWords, namedLimits } from '@/lib/run/limits'
import { findMetric } from '@/lib/run/metrics'
import { prepareStrip } from '@/components/charts/strip'

const metric = (id: string) => {
  const found = findMetric(id)
  if (found === null) throw new Error(`no metric ${id}`)
  return found
}

describe('a limit', () => {
  it('is missed on one side only, by the distance', () => {
    expect(missedBy({ side: 'above', limit: 80 }, 93.1)).toBeCloseTo(13.1)
    expect(missedBy({ side: 'above', limit: 80 }, 80)).toBeNull()
    expect(missedBy({ side: 'below', limit: 100 }, 90)).toBe(10)
    expect(missedBy({ side: 'below', limit: 100 }, 110)).toBeNull()
  })

  it('is named as it was set, and says in the unit of its metric by how much it is missed', () => {
    expect(limitName({ metricId: 'p99', side: 'above', limit: 80 })).toBe('p99 ≤ 80\u00a0ms')
    expect(limitName({ metricId: 'error-ratio', side: 'above', limit: 0.001 })).toMatch(/ ≤ 0\.1\u00a0%$/)
    const words = (value: number) => missedWords(metric('p99'), { side: 'above', limit: 80 }, value)
    expect(words(93.1)).toBe('missed by 13.1\u00a0ms')
    // Printed as 134 ms, 1.2 s and 80.0 ms.
    expect([133.67, 1_204, 80.01].map(words)).toEqual([
      'missed by 54\u00a0ms',
      'missed by 1.12\u00a0s',
      'missed by 10\u00a0µs',
    ])
    expect(words(80)).toBe('met')
    const failed = missedWords(metric('error-ratio'), { side: 'above', limit: 0.001 }, 0.025)
    expect(failed).toBe('missed by 2.4\u00a0points')
  })

  it('is in one list with the timeouts that cut values', () => {
    const limits = [{ metricId: 'p99', side: 'above', limit: 80 } as const]
    const all = namedLimits(limits, [
      { tool: 'vegeta', ms: 30_000 },
      { tool: 'vegeta', ms: 29_999 },
      { tool: 'wrk', ms: 20 },
    ])
    expect(all.map(({ name }) => name)).toEqual(['limit p99 ≤ 80\u00a0ms', 'timeout 30\u00a0s'])
    const ofMetric = (id: string) => limitsOfMetric(all, metric(id)).map(({ value }) => value)
    expect([ofMetric('p99'), ofMetric('p50'), ofMetric('throughput')]).toEqual([[80, 30_000], [30_000], []])
  })

  it('is on a strip, or at its edge where it would press the runs flat', () => {
    const strip = (limit: number) =>
      prepareStrip({
        metricName: 'p99',
        points: [58, 60, 59, 64].map((value) => ({ value, isOutside: false })),
        levels: [],
        state: null,
        limits: namedLimits([{ metricId: 'p99', side: 'above', limit }]),
      })
    expect(strip(67)?.limits).toMatchObject([{ beyond: null }])
    expect(strip(80)?.limits).toMatchObject([{ beyond: 'above' }])
    expect(strip(80)?.label).toContain('limit p99 ≤ 80')
  })
})
