import fc from 'fast-check'
import * as hdr from 'hdr-histogram-js'
import { describe, expect, it } from 'vitest'
import { FlatHistogram, largestNs, rankOf, slotOf } from '../../importers/samples/flat-histogram'
import {
  decodeHistogram,
  encodeHistogram,
  HdrFormatError,
  highestOfSlot,
  lowestOfSlot,
  threeDigits,
} from '../../lib/stats/hdr-codec'
import { describeHistogram } from '../../importers/hdr/hdr-latency'
import { caseCount } from '../case-count'

/** Latencies over fifteen decades: uniform in the exponent, so that every doubling occurs. */
const nanoseconds = fc
  .tuple(fc.integer({ min: 0, max: 50 }), fc.double({ min: 1, max: 2, noNaN: true, maxExcluded: true }))
  .map(([power, factor]) => Math.floor(2 ** power * factor))
const latencies = fc.array(fc.oneof(nanoseconds, fc.nat(3_000)), { minLength: 1, maxLength: 300 })

const lowestOf = (slot: number) => lowestOfSlot(threeDigits, slot)
const highestOf = (slot: number) => highestOfSlot(threeDigits, slot)

function record(values: readonly number[]): FlatHistogram {
  const histogram = new FlatHistogram()
  for (const value of values) {
    const slot = slotOf(value)
    histogram.counts[slot] = (histogram.counts[slot] ?? 0) + 1
  }
  return histogram
}

const bytesOf = ({ counts }: FlatHistogram) => Buffer.from(counts.buffer, counts.byteOffset, counts.byteLength)

describe('the flat histogram', () => {
  it('has adjacent slots, and puts every value into its own', () => {
    fc.assert(
      fc.property(fc.oneof(nanoseconds, fc.constantFrom(0, 1, 2047, 2048, 2 ** 31 - 1, 2 ** 31, largestNs)), (ns) => {
        const slot = slotOf(ns)
        expect(lowestOf(slot)).toBeLessThanOrEqual(ns)
        expect(highestOf(slot)).toBeGreaterThanOrEqual(ns)
        expect(highestOf(slot) + 1).toBe(lowestOf(slot + 1))
        expect(slotOf(lowestOf(slot))).toBe(slot)
        expect(slotOf(highestOf(slot))).toBe(slot)
      }),
      { numRuns: caseCount(1_000) },
    )
  })

  it('counts exactly, and its quantiles are at most 0.1 % above nearest rank', () => {
    fc.assert(
      fc.property(latencies, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }), (values, qs) => {
        const histogram = record(values)
        const sorted = [...values].sort((a, b) => a - b)
        const ranks = [...qs, 0.5, 0.99, 1].sort((a, b) => a - b).map((q) => rankOf(q, values.length))
        expect(histogram.total()).toBe(values.length)
        histogram.valuesAtRanks(ranks).forEach((value, index) => {
          const exact = sorted[(ranks[index] ?? 1) - 1] ?? NaN
          expect(value).toBeGreaterThanOrEqual(exact)
          expect(value - exact).toBeLessThanOrEqual(exact / 1_000)
        })
      }),
    )
  })

  it('adds up to the histogram of both', () => {
    fc.assert(
      fc.property(latencies, latencies, (first, second) => {
        const sum = record(first)
        sum.addRange(record(second), slotOf(Math.min(...second)), slotOf(Math.max(...second)))
        expect(bytesOf(sum).equals(bytesOf(record([...first, ...second])))).toBe(true)
      }),
      { numRuns: caseCount(20) },
    )
  })

  it('computes ranks like nearest rank: ceil(q·n), without floating-point error', () => {
    expect([0, 0.5, 0.9, 0.99, 1].map((q) => rankOf(q, 100))).toEqual([1, 50, 90, 99, 100])
    expect(rankOf(0.07, 100)).toBe(7)
    expect(rankOf(0.501, 100)).toBe(51)
    expect(rankOf(0.999, 1)).toBe(1)
  })
})

describe('V2 payloads', () => {
  it('written here are read by hdr-histogram-js, slot by slot', async () => {
    await fc.assert(
      fc.asyncProperty(latencies, async (values) => {
        const encoded = await record(values).encode(Math.min(...values), Math.max(...values))
        if (encoded.kind !== 'hdr') throw new Error('not encoded')
        const theirs = hdr.decodeFromCompressedBase64(encoded.v2Base64)
        expect(theirs.totalCount).toBe(values.length)
        const sorted = [...values].sort((a, b) => a - b)
        for (const q of [0.5, 0.75, 0.875, 1]) {
          const exact = sorted[rankOf(q, values.length) - 1] ?? NaN
          expect(Math.abs(theirs.getValueAtPercentile(q * 100) - exact)).toBeLessThanOrEqual(exact / 1_000)
        }
        const ours = await decodeHistogram(encoded.v2Base64)
        const flat = record(values).counts
        expect([...ours.counts]).toEqual([...flat.entries()].filter(([, count]) => count > 0))
      }),
      { numRuns: caseCount(60) },
    )
  })

  it('written by hdr-histogram-js with any number of digits are read here with the same results', async () => {
    const layouts = fc.record({ digits: fc.constantFrom(1, 2, 3, 4, 5) })
    const values = fc.array(fc.integer({ min: 0, max: 50_000_000 }), { minLength: 1, maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(layouts, values, async ({ digits }, recorded) => {
        const theirs = new hdr.Float64Histogram(1, 2, fiveDigits(digits))
        theirs.autoResize = true
        for (const value of recorded) theirs.recordValue(value)
        const ours = await decodeHistogram(hdr.encodeIntoCompressedBase64(theirs))
        const latency = await describeHistogram(ours, 'ns', null)
        expect(latency?.count).toBe(theirs.totalCount)
        expect((latency?.meanMs ?? NaN) * 1e6).toBeCloseTo(theirs.mean, 3)
        expect((latency?.stdDevMs ?? NaN) * 1e6).toBeCloseTo(theirs.stdDeviation, 3)
        const sorted = [...recorded].sort((a, b) => a - b)
        for (const { q, ms } of latency?.quantiles ?? []) {
          const exact = sorted[rankOf(q, recorded.length) - 1] ?? NaN
          expect(Math.round(ms * 1e6)).toBe(theirs.highestEquivalentValue(exact))
        }
        // Encoding it again gives the same histogram.
        if (latency?.histogram?.kind !== 'hdr') throw new Error('not encoded')
        const again = hdr.decodeFromCompressedBase64(latency.histogram.v2Base64)
        expect(again.totalCount).toBe(theirs.totalCount)
        expect((await decodeHistogram(latency.histogram.v2Base64)).counts).toEqual(ours.counts)
      }),
      { numRuns: caseCount(8) },
    )
  }, 120_000)

  it('keep their layout: slots are adjacent for any number of digits and lowest value', () => {
    const layout = fc.record({
      digits: fc.integer({ min: 0, max: 5 }),
      lowest: fc.constantFrom(1, 2, 1_000, 1_000_000),
    })
    fc.assert(
      fc.property(layout, fc.nat(1_000_000), (shape, slot) => {
        const low = lowestOfSlot(shape, slot)
        const high = highestOfSlot(shape, slot)
        expect(high).toBeGreaterThanOrEqual(low)
        expect(lowestOfSlot(shape, slot + 1)).toBe(high + 1)
      }),
    )
  })
})

describe('malicious payloads', () => {
  it('are refused wherever they are truncated', async () => {
    const encoded = await record([5, 70, 9_000, 1_000_000]).encode(5, 1_000_000)
    if (encoded.kind !== 'hdr') throw new Error('not encoded')
    const whole = encoded.v2Base64.replace(/=+$/, '')
    for (let length = 0; length < whole.length; length++)
      await expect(decodeHistogram(whole.slice(0, length)), `cut at ${length}`).rejects.toBeInstanceOf(HdrFormatError)
  })

  it('never crash and never take long', async () => {
    const encoded = await record([5, 70, 9_000, 1_000_000]).encode(5, 1_000_000)
    if (encoded.kind !== 'hdr') throw new Error('not encoded')
    const bytes = Buffer.from(encoded.v2Base64, 'base64')
    const edits = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const changed = Buffer.from(bytes)
        for (const [at, byte] of changes) changed[at] = byte
        const startedCpu = process.cpuUsage()
        await decodeHistogram(changed.toString('base64')).catch((error: unknown) => {
          expect(error).toBeInstanceOf(HdrFormatError)
        })
        // CPU time of this process, not wall clock, which proves nothing on a busy machine.
        const { user, system } = process.cpuUsage(startedCpu)
        expect((user + system) / 1_000).toBeLessThan(1_000)
      }),
      { numRuns: caseCount(500) },
    )
  })

  it('must not unpack to more than 8 MB', async () => {
    const counts = new Float64Array(1_900_000).fill(1)
    const bomb = await encodeHistogram(counts, 2 ** 40, { digits: 5, lowest: 1 })
    expect(Buffer.from(bomb, 'base64').length).toBeLessThan(10_000)
    expect((await decodeHistogram(bomb)).counts.size).toBe(1_900_000)
    const larger = await encodeHistogram(new Float64Array(9_000_000).fill(1), 2 ** 40, { digits: 5, lowest: 1 })
    await expect(decodeHistogram(larger)).rejects.toMatchObject({ code: 'too-large' })
    const wide = await encodeHistogram(new Float64Array(2_100_000).fill(1), 2 ** 40, { digits: 5, lowest: 1 })
    await expect(decodeHistogram(wide)).rejects.toMatchObject({ code: 'too-large' })
  })

  it('of versions 0 and 1 are read within the same limits', async () => {
    const words = (cookie: number, head: number, size: number, counts: readonly number[]) => {
      const payload = Buffer.alloc(head + counts.length * size)
      payload.writeInt32BE(cookie | (size << 4))
      const [digitsAt, lowestAt] = head === 40 ? [12, 16] : [4, 8]
      if (head === 40) payload.writeInt32BE(counts.length * size, 4)
      payload.writeInt32BE(3, digitsAt)
      payload.writeBigInt64BE(1n, lowestAt)
      for (const [at, count] of counts.entries())
        payload.writeIntBE(count, head + at * size + Math.max(0, size - 6), Math.min(size, 6))
      return payload
    }
    for (const [cookie, head] of [
      [0x1c849308, 32],
      [0x1c849301, 40],
    ] as const)
      for (const size of [2, 4, 8]) {
        const { counts } = await decodeHistogram(words(cookie, head, size, [0, 3, 0, 500]).toString('base64'))
        expect([...counts]).toEqual([
          [1, 3],
          [3, 500],
        ])
        const negative = words(cookie, head, size, [0, 3])
        negative.fill(0xff, head)
        await expect(decodeHistogram(negative.toString('base64'))).rejects.toMatchObject({ code: 'malformed' })
        const torn = words(cookie, head, size, [0, 3]).subarray(0, -1)
        await expect(decodeHistogram(torn.toString('base64'))).rejects.toMatchObject({ code: 'truncated' })
      }
    const odd = words(0x1c849308, 32, 2, [1])
    odd.writeInt32BE(0x1c849308 | 0x30)
    await expect(decodeHistogram(odd.toString('base64'))).rejects.toMatchObject({ code: 'malformed' })
  })
})

function fiveDigits(digits: number): 1 | 2 | 3 | 4 | 5 {
  return digits === 1 || digits === 2 || digits === 3 || digits === 4 ? digits : 5
}
