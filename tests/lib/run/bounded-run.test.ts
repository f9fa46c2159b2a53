import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { boundRun, maxListed, runFields } from '@/lib/run/bounded-run'
import { errorCountOf, successCount } from '@/lib/run/figures'
import type { Target } from '@/lib/run/run'
import {
  decodeHistogram,
  encodeDecoded,
  encodeHistogram,
  highestOfSlot,
  lastSlotOf,
  maxRecordedValues,
  slotOfValue,
  withinThreeDigits,
} from '@/lib/stats/hdr-codec'
import { recordedRanks } from '@/lib/stats/histogram'
import { coarserTimeline, maxBuckets, mergeBuckets, thinQuantiles } from '@/lib/run/coarser'
import { hugeBuckets, hugeFields, hugeRun, hugeRuns, hugeTimeline } from '../../hostile/huge-fields'
import { sampleLatency, sampleRun } from '../../queries/samples'

const things = 60_000
const each = <Item>(make: (index: number) => Item): Item[] => Array.from({ length: things }, (_, index) => make(index))
const counts = (name: (index: number) => string) => Object.fromEntries(each((index) => [name(index), 1 + (index % 7)]))
const target = (index: number): Target => ({
  method: 'GET',
  url: `http://127.0.0.1/${index}`,
  count: index,
  errors: 0,
  bytesIn: 0,
  meanMs: 1,
  p50Ms: 1,
  p95Ms: 1,
  p99Ms: 1,
  maxMs: 1,
})

describe('boundRun', () => {
  it('leaves a run with short lists alone', () => {
    const run = sampleRun({ errors: [{ message: 'refused', count: 3 }], statusCodes: { 200: 7, 999: 1 } })
    expect(boundRun(run)).toBe(run)
  })

  it('keeps the most frequent of 60,000 entries, says so, and stays small', () => {
    const run = sampleRun({
      errors: each((index) => ({ message: `error ${index}`, count: 1 + (index % 3) })),
      statusCodes: { 200: 5, 503: 2, ...counts((index) => `${1_000 + index}`) },
      targets: each(target),
      measures: each((index) => ({ name: `m${index}`, value: index, unit: null, line: null })),
      warnings: each((index) => ({ code: 'odd', message: `warning ${index}`, line: index })),
    })
    const bounded = boundRun(run)
    expect(JSON.stringify(bounded).length).toBeLessThan(200_000)
    expect(bounded.errors).toHaveLength(maxListed + 1)
    expect(bounded.errors.at(-1)?.message).toBe('59,800 other errors')
    expect(bounded.targets?.[0]?.count).toBe(things - 1)
    expect(bounded.warnings).toHaveLength(maxListed)
    expect(bounded.warnings.at(-1)?.message).toBe(
      'There are 60,000 different errors, 60,000 status codes that HTTP does not have, 60,000 addresses (60 of them listed), 60,000 other figures, 60,000 warnings: 200 are listed, and the uploaded file has all.',
    )
    // Values computed from the lists do not change.
    expect(errorCountOf(bounded)).toBe(errorCountOf(run))
    expect(successCount(bounded)).toBe(successCount(run))
    expect(boundRun(bounded)).toBe(bounded)
  })

  it('invents no count for errors printed without one', () => {
    const run = sampleRun({ errors: each((index) => ({ message: `error ${index}`, count: index === 9 ? null : 1 })) })
    expect(boundRun(run).errors.at(-1)?.count).toBeNull()
  })

  it('keeps every status code that HTTP defines', () => {
    const codes = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${100 + index}`, index]))
    expect(boundRun(sampleRun({ statusCodes: codes })).statusCodes).toEqual(codes)
  })
})

/** Size of everything in a run, except for payloads, which are bounded where they are decoded. */
const sizeOf = (run: unknown): number => JSON.stringify(run).length

describe('a run with one field as large as a file can make it', () => {
  it('is tested for every field', () => {
    expect(runFields.toSorted()).toEqual(Object.keys(hugeFields).sort())
  })

  it.each(hugeRuns)('%s', (_, make) => {
    const run = make()
    const bounded = boundRun(run)
    expect(sizeOf(bounded)).toBeLessThan(250_000)
    const said = bounded.warnings.slice(-3).map(({ code }) => code)
    expect(said.some((code) => ['not-all-listed', 'coarser', 'texts-cut'].includes(code))).toBe(true)
    expect(boundRun(bounded)).toBe(bounded)
  })

  it('is small with all of them at once', { timeout: 120_000 }, () => {
    const bounded = boundRun(hugeRun())
    expect(sizeOf(bounded)).toBeLessThan(500_000)
    expect(boundRun(bounded)).toBe(bounded)
  })
})

describe('a histogram of 300,000 buckets', () => {
  const bounded = boundRun(
    sampleRun({
      latencies: [sampleLatency({ histogram: { kind: 'buckets', inclusive: 'lower', buckets: hugeBuckets } })],
    }),
  )

  it('has 2,000 with all counts, and the run says so', () => {
    const histogram = bounded.latencies[0]?.histogram
    const buckets = histogram?.kind === 'buckets' ? histogram.buckets : []
    expect(buckets.length).toBeLessThanOrEqual(maxBuckets)
    expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(hugeBuckets.length)
    expect(buckets[0]?.lowerMs).toBe(0)
    expect(buckets.at(-1)?.upperMs).toBeNull()
    expect(bounded.warnings.at(-1)?.message).toMatch(
      /^The histogram of all has 300,000 buckets: neighbours are merged to 1,\d{3} with all counts, and what is read off it is within 0\.\d+ %\. The uploaded file has all\.$/,
    )
  })

  it('keeps every quantile within the stated error', () => {
    const buckets = fc.array(fc.record({ width: fc.integer({ min: 1, max: 1_000 }), count: fc.nat(50) }), {
      minLength: 60,
      maxLength: 400,
    })
    fc.assert(
      fc.property(buckets, fc.double({ min: 0, max: 1, noNaN: true }), (rows, q) => {
        let upTo = 0
        const fine = rows.map(({ width, count }) => ({ lowerMs: upTo, upperMs: (upTo += width), count }))
        const { buckets: merged, errorRatio } = mergeBuckets(fine, 50)
        const upperOf = (all: readonly { upperMs: number | null; count: number }[]) => {
          const rank = Math.max(1, Math.ceil(q * all.reduce((sum, { count }) => sum + count, 0)))
          let below = 0
          return all.find(({ count }) => (below += count) >= rank)?.upperMs ?? 0
        }
        expect(merged.length).toBeLessThanOrEqual(50)
        expect(merged.reduce((sum, { count }) => sum + count, 0)).toBe(rows.reduce((sum, { count }) => sum + count, 0))
        const [exact, read] = [upperOf(fine), upperOf(merged)]
        expect(read).toBeGreaterThanOrEqual(exact)
        expect(read).toBeLessThanOrEqual(exact * (1 + errorRatio) * (1 + 1e-9))
      }),
    )
  })

  it('is merged even if no bucket has a width or an end', () => {
    for (const upperMs of [0, null]) {
      const { buckets } = mergeBuckets(
        each(() => ({ lowerMs: 0, upperMs, count: 1 })),
        maxBuckets,
      )
      expect(buckets.length).toBeLessThanOrEqual(maxBuckets)
      expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(things)
    }
  })
})

describe('percentiles', () => {
  it('keep the first, the last and the named ones', () => {
    const points = each((index) => ({ q: index / (things - 1), ms: index })).concat([{ q: 0.999, ms: 1 }])
    const thinned = thinQuantiles(
      points.toSorted((a, b) => a.q - b.q),
      400,
    )
    expect(thinned.length).toBeLessThanOrEqual(400)
    expect(thinned.map(({ q }) => q)).toEqual(expect.arrayContaining([0, 0.999, 1]))
    expect(thinned.map(({ q }) => q)).toEqual(thinned.map(({ q }) => q).toSorted((a, b) => a - b))
  })
})

describe('a timeline of 300,000 intervals', () => {
  it('is merged with all sums kept, and invents no percentile', () => {
    const coarser = coarserTimeline(hugeTimeline)
    const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
    expect(coarser.requests).toHaveLength(293)
    expect(coarser.binMs).toBe(1_024_000)
    expect(sum(coarser.requests)).toBe(sum(hugeTimeline.requests))
    expect(sum(coarser.errors)).toBe(sum(hugeTimeline.errors))
    expect(sum(coarser.heat.counts.flat())).toBe(sum(hugeTimeline.heat.counts.flat()))
    expect(coarser.heat.binMs % coarser.binMs).toBe(0)
    expect(coarser.p99Ms.every((ms) => ms === null)).toBe(true)
    expect(coarser.maxMs[0]).toBe(90)
  })

  it('keeps the percentiles of an interval merged with an empty one', () => {
    const requests = hugeTimeline.requests.map((count, index) => (index % 1_024 === 7 ? count : 0))
    expect(coarserTimeline({ ...hugeTimeline, requests }).p99Ms[0]).toBe(8)
  })
})

describe('a recorded histogram of 200,000 values', () => {
  const fiveDigits = { digits: 5, lowest: 1 }
  const counts = new Float64Array(slotOfValue(fiveDigits, 240_000) + 1).fill(2)
  const whole = encodeHistogram(counts, 240_000, fiveDigits)

  it('keeps all counts and is within 0.1 % with three digits', async () => {
    const decoded = await decodeHistogram(await whole)
    const coarser = withinThreeDigits(decoded)
    const sum = (all: Iterable<number>) => [...all].reduce((total, one) => total + one, 0)
    expect(coarser.counts.size).toBeLessThan(maxRecordedValues)
    expect(sum(coarser.counts.values())).toBe(sum(decoded.counts.values()))
    const top = highestOfSlot(coarser, lastSlotOf(coarser))
    expect(top).toBeGreaterThanOrEqual(240_000)
    expect(top).toBeLessThan(240_000 * 1.001)
    const again = await decodeHistogram(await encodeDecoded(coarser, top))
    expect(again).toEqual(coarser)
    expect(withinThreeDigits(again)).toBe(again)
  })

  it('is read with three digits if it was stored before', async () => {
    const ranks = recordedRanks({ kind: 'hdr', v2Base64: await whole, unit: 'us' })
    expect(ranks.length).toBeLessThan(maxRecordedValues)
    expect(ranks.at(-1)?.rank).toBe(counts.length * 2)
    expect(ranks.at(-1)?.ms).toBeCloseTo(240, 0)
  })
})
