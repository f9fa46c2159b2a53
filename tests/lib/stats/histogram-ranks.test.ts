import * as hdr from 'hdr-histogram-js'
import { expect, it } from 'vitest'
import { quantileReader } from '@/lib/stats/histogram'
import type { Latency } from '@/lib/run/run'

it('reads every percentile as HdrHistogram does', () => {
  for (const count of [1, 2, 7, 100, 1_000, 9_973]) {
    const histogram = hdr.build({ numberOfSignificantValueDigits: 3 })
    for (let at = 0; at < count; at += 1) histogram.recordValue((at * 7_919) % 60_013)
    const v2Base64 = hdr.encodeIntoCompressedBase64(histogram)
    const nothing = { minMs: null, meanMs: null, stdDevMs: null, maxMs: null, withinOneStdDevRatio: null }
    const latency: Latency = {
      ...nothing,
      of: 'all',
      count,
      quantiles: [],
      histogram: { kind: 'hdr', v2Base64, unit: 'ms' },
      origin: 'samples',
      method: 'nearest-rank',
    }
    const read = quantileReader(latency)
    const grid = Array.from({ length: 401 }, (_, at) => 1 - 10 ** (-at / 80))
    for (const q of [
      0,
      0.5,
      0.9,
      0.95,
      0.99,
      0.999,
      1,
      ...grid,
      ...Array.from({ length: count }, (_, at) => at / count),
    ])
      expect(read(q), `${q} of ${count}`).toBe(histogram.getValueAtPercentile(q * 100))
  }
})
