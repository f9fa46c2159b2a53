import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteKeys } from '../../importers/text/byte-keys'
import { ErrorTexts, normaliseError } from '../../importers/samples/error-texts'
import { rankOf, slotOf } from '../../importers/samples/flat-histogram'
import { TimelineBuilder } from '../../importers/samples/timeline'
import { caseCount } from '../case-count'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Finds each text at its own position in one buffer, like a parser. */
function findAll(keys: ByteKeys, texts: readonly string[]): number[] {
  return texts.map((text, index) => {
    const bytes = encoder.encode(text)
    const padded = new Uint8Array(bytes.length + (index % 7) + 3)
    padded.set(bytes, index % 7)
    return keys.find(new DataView(padded.buffer), index % 7, (index % 7) + bytes.length)
  })
}

describe('byte keys', () => {
  it('number distinct texts in order of appearance, whatever their length and ending', () => {
    const ending = fc.constantFrom('', '/items', '?size=1024', '\u00e9')
    const text = fc.tuple(fc.string({ maxLength: 12 }), ending).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 200 }), (texts) => {
        const keys = new ByteKeys(1_000)
        const found = findAll(keys, texts)
        const distinct = [...new Set(texts)]
        expect(found).toEqual(texts.map((one) => distinct.indexOf(one)))
        expect(keys.size).toBe(distinct.length)
        expect(distinct.map((_, index) => decoder.decode(keys.key(index)))).toEqual(distinct)
      }),
    )
  })

  it('count everything beyond the limit as the rest, and still recognise what came before', () => {
    const keys = new ByteKeys(3)
    expect(findAll(keys, ['GET /a', 'GET /b', 'GET /c', 'GET /d', 'GET /e', 'GET /b', 'GET /d'])).toEqual([
      0, 1, 2, 3, 3, 1, 3,
    ])
    expect(keys.size).toBe(3)
  })

  it('distinguish keys with the same last bytes and length', () => {
    const texts = Array.from({ length: 600 }, (_, index) => `/${String(index).padStart(4, '0')}/same-ending`)
    const keys = new ByteKeys(1_000)
    expect(findAll(keys, [...texts, ...texts])).toEqual([...texts.keys(), ...texts.keys()])
  })

  it('leave keys over 8 KiB, and keys over 1 MiB together, to the rest', () => {
    const keys = new ByteKeys(1_000)
    expect(findAll(keys, ['x'.repeat(8_193), 'x'.repeat(8_192)])).toEqual([1_000, 0])
    const large = Array.from({ length: 200 }, (_, index) => String(index).padStart(8_000, '0'))
    const found = findAll(keys, large)
    expect(found.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(found.at(-1)).toBe(1_000)
    expect(findAll(keys, [large[5] ?? ''])).toEqual([6])
  })
})

interface Row {
  readonly second: number
  readonly ns: number
  readonly failed: boolean
}

function buildTimeline(rows: readonly Row[], isWallClock = false) {
  const builder = new TimelineBuilder()
  for (const { second, ns, failed } of rows) builder.open(second).record(slotOf(ns) >> 5, ns, failed ? 1 : 0)
  return builder.build(isWallClock)
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

describe('the timeline', () => {
  const row = fc.record({
    second: fc.integer({ min: 0, max: 1_500 }),
    ns: fc.integer({ min: 1, max: 2_000_000_000 }),
    failed: fc.boolean(),
  })

  it('holds what a plain count by bin holds, in any order, however often the seconds double', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 400 }), (rows) => {
        const timeline = buildTimeline(rows)
        if (timeline === null) throw new Error('no timeline')
        const width = timeline.binMs / 1_000
        const first = Math.floor(Math.min(...rows.map(({ second }) => second)) / width)
        const last = Math.floor(Math.max(...rows.map(({ second }) => second)) / width)
        const bins = Array.from({ length: last - first + 1 }, (_, index) =>
          rows.filter(({ second }) => Math.floor(second / width) === first + index),
        )
        expect(timeline.requests).toEqual(bins.map((bin) => bin.length))
        expect(timeline.errors).toEqual(bins.map((bin) => bin.filter(({ failed }) => failed).length))
        expect(sum(timeline.heat.counts.flat())).toBe(rows.length)
        bins.forEach((bin, index) => {
          const sorted = bin.map(({ ns }) => ns / 1e6).sort((a, b) => a - b)
          const columns = [
            [0.5, timeline.p50Ms],
            [0.9, timeline.p90Ms],
            [0.95, timeline.p95Ms],
            [0.99, timeline.p99Ms],
          ] as const
          for (const [q, column] of columns) {
            const exact = sorted[rankOf(q, bin.length) - 1]
            const value = column[index] ?? null
            if (exact === undefined) expect(value).toBeNull()
            // Half a coarse slot, and three printed digits; slots are at least 32 ns wide.
            else expect(Math.abs((value ?? NaN) - exact)).toBeLessThanOrEqual(exact * 0.022 + 17e-6)
          }
          const largest = sorted.at(-1)
          if (largest === undefined) expect(timeline.maxMs[index]).toBeNull()
          else expect(Math.abs((timeline.maxMs[index] ?? NaN) - largest)).toBeLessThanOrEqual(largest * 1e-3)
        })
      }),
      { numRuns: caseCount(60) },
    )
  })

  it('has the narrowest bins that 200 of them allow, whatever second comes first', () => {
    const at = (second: number): Row => ({ second, ns: 1_000_000, failed: false })
    const widthOf = (seconds: readonly number[]) => buildTimeline(seconds.map(at))?.binMs
    expect(widthOf([0, 199])).toBe(1_000)
    expect(widthOf([0, 200])).toBe(2_000)
    expect(widthOf([200, 0])).toBe(2_000)
    expect(widthOf([7, 206])).toBe(1_000)
    expect(widthOf([0, 3_600])).toBe(32_000)
    expect(widthOf([3_600, 1_800, 0])).toBe(32_000)
    expect(widthOf([1_795_227_231, 1_795_227_231 + 86_400])).toBe(512_000)
  })

  it('starts where its first bin starts', () => {
    const rows = [1_795_227_231, 1_795_227_231 + 300].map((second) => ({ second, ns: 5, failed: false }))
    expect(buildTimeline(rows, true)?.startedAt).toBe(new Date(1_795_227_230_000).toISOString())
    expect(buildTimeline(rows, false)?.startedAt).toBeNull()
    expect(buildTimeline([], true)).toBeNull()
  })
})

describe('error texts', () => {
  /** Counts each text among others, like a parser. */
  function countAll(texts: readonly string[]) {
    const errors = new ErrorTexts()
    const bytes = encoder.encode(texts.map((text) => `7${text}9`).join(''))
    let at = 0
    for (const text of texts) {
      const length = encoder.encode(text).length
      errors.add(bytes, at + 1, at + 1 + length)
      at += length + 2
    }
    return errors.list((message) => decoder.decode(message))
  }

  it('that differ only in numbers outside hosts and paths are one, whatever was counted before them', () => {
    const part = fc.constantFrom('1', '27', ':', '/', '//', '://h', '#', ' ', ',', '?', 'a', 'tcp ', '->')
    const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
        const expected = new Map<string, number>()
        for (const key of new Set(texts.map(normaliseError))) {
          const same = texts.filter((one) => normaliseError(one) === key)
          const message = new Set(same).size === 1 ? (same[0] ?? '') : key
          expected.set(message, (expected.get(message) ?? 0) + same.length)
        }
        const counted = new Map(countAll(texts).map(({ message, count }) => [message, count]))
        expect(counted).toEqual(expected)
      }),
      { numRuns: caseCount(2_000) },
    )
  })

  it('with different hosts and paths stay separate', () => {
    const texts = [
      'http://a1/x: dial tcp 10.0.0.1:80',
      'http://a2/x: dial tcp 10.0.0.2:80',
      'http://a1/x: dial tcp 10.0.0.7:81',
    ]
    expect(countAll(texts)).toEqual([
      { message: 'http://a1/x: dial tcp #.#.#.#:#', count: 2 },
      { message: 'http://a2/x: dial tcp 10.0.0.2:80', count: 1 },
    ])
  })
})
