import fc from 'fast-check'
import * as hdr from 'hdr-histogram-js'
import { describe, expect, it } from 'vitest'
import { leadingLatency } from '@/lib/run/figures'
import { toHgrm } from '@/lib/export/hgrm'
import type { Latency } from '@/lib/run/run'
import { runsOf } from '../../read-fixture'
import { caseCount } from '../../case-count'

const unitsPerMs = { ns: 1e6, us: 1e3, ms: 1 } as const
type Unit = keyof typeof unitsPerMs

function recorded(valuesMs: readonly number[], unit: Unit): hdr.Histogram {
  const histogram = hdr.build({ numberOfSignificantValueDigits: 3, bitBucketSize: 32 })
  histogram.autoResize = true
  for (const ms of valuesMs) histogram.recordValue(Math.round(ms * unitsPerMs[unit]))
  return histogram
}

function latencyOf(histogram: hdr.Histogram, unit: Unit): Latency {
  return {
    of: 'all',
    count: histogram.totalCount,
    minMs: null,
    meanMs: null,
    stdDevMs: null,
    maxMs: null,
    withinOneStdDevRatio: null,
    quantiles: [],
    histogram: { kind: 'hdr', v2Base64: hdr.encodeIntoCompressedBase64(histogram), unit },
    origin: 'samples',
    method: 'hdr',
  }
}

/** What our download says about these values, read by our importer. */
async function thereAndBack(valuesMs: readonly number[], unit: Unit) {
  const histogram = recorded(valuesMs, unit)
  const text = toHgrm(latencyOf(histogram, unit))
  const [run] = await runsOf({ text: text ?? '' })
  const latency = run && leadingLatency(run)
  if (!text || !latency) throw new Error('a run expected')
  return { histogram, text, run, latency }
}

/** From 1 µs to 100 s, and the whole numbers among them. */
const fractions = fc
  .tuple(fc.integer({ min: -3, max: 4 }), fc.double({ min: 1, max: 10, noNaN: true }))
  .map(([power, factor]) => factor * 10 ** power)
const latencies = fc.array(fc.oneof(fractions, fc.integer({ min: 1, max: 100_000 })), { minLength: 1, maxLength: 200 })

describe('toHgrm', () => {
  it('writes what our importer reads back: same unit, same quantiles', async () => {
    await fc.assert(
      fc.asyncProperty(latencies, fc.constantFrom<Unit>('ns', 'us', 'ms'), async (values, unit) => {
        const { histogram, run, latency } = await thereAndBack(values, unit)
        expect(run.warnings).toEqual([])
        expect(run.complete).toBe(true)
        expect(latency.count).toBe(values.length)
        expect(latency.maxMs).toBe(histogram.getValueAtPercentile(100) / unitsPerMs[unit])
        expect(latency.quantiles.length).toBeGreaterThan(0)
        for (const { q, ms } of latency.quantiles) {
          // A printed percentile has twelve decimals: its rank may belong to either side.
          const read = [-1e-12, 0, 1e-12].map((dust) => histogram.getValueAtPercentile((q + dust) * 100))
          const allowed = q === 0 ? [read[0], histogram.getValueAtPercentile(1e-9)] : read
          expect(allowed.map((value) => (value ?? 0) / unitsPerMs[unit])).toContain(ms)
          const sorted = [...values].map((value) => Math.round(value * unitsPerMs[unit])).sort((a, b) => a - b)
          const exact = sorted[Math.max(0, Math.ceil(q * sorted.length - 1e-9) - 1)] ?? NaN
          expect(Math.abs(ms * unitsPerMs[unit] - exact)).toBeLessThanOrEqual(exact / 1_000 + 1e-6)
        }
      }),
      { numRuns: caseCount(150), seed: 1 },
    )
  })

  it('is read as milliseconds if every value is a whole number above 100 ms', async () => {
    const { latency } = await thereAndBack([150, 250, 1_000, 90_000], 'ms')
    expect(latency.quantiles.find(({ q }) => q === 0.5)?.ms).toBe(250)
    expect(latency.maxMs).toBeGreaterThanOrEqual(90_000)
  })

  it('distinguishes microseconds that three decimals of a millisecond would merge', async () => {
    const { latency } = await thereAndBack([0.001_1, 0.001_4], 'ns')
    expect(latency.quantiles.map(({ ms }) => ms)).toEqual(expect.arrayContaining([0.001_1, 0.001_4]))
  })

  it("has exactly the rows that HdrHistogram's plotFiles page draws", async () => {
    const { text, histogram } = await thereAndBack([0.5, 120, 121.5, 3_000], 'us')
    // Its rule: four columns, the first and the last numeric, in a line that does not start with #.
    const drawn = text.split('\n').flatMap((line) => {
      const values = line.trim().split(/ +/)
      const [y, x] = [Number.parseFloat(values[0] ?? ''), Number.parseFloat(values[3] ?? '')]
      return !line.trim().startsWith('#') && values.length === 4 && !Number.isNaN(x) && !Number.isNaN(y)
        ? [{ x, y }]
        : []
    })
    const theirs = histogram
      .outputPercentileDistribution(5, 1_000)
      .split('\n')
      .flatMap((line) => {
        const values = line.trim().split(/ +/)
        return /^[\d.]+$/.test(values[0] ?? '') && values.length === 4
          ? [{ x: Number(values[3]), y: Number(values[0]) }]
          : []
      })
    expect(drawn.length).toBeGreaterThan(3)
    expect(drawn).toEqual(theirs)
  })
})
