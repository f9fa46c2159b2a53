import { expect, it } from 'vitest'
import { splitModes } from '@/lib/stats/modes'
import { randomFrom } from '../../fuzz/random'

/** The lowest peak-to-valley ratio, tried at every position: 4 and above is a split. */
function deepest(counts: readonly number[]): number {
  const total = sum(counts)
  const contrasts = counts.map((depth, at) => {
    const [left, right] = [counts.slice(0, at), counts.slice(at + 1)]
    const least = Math.min(sum(left) + depth, sum(right))
    if (least < 20 || least < total * 0.005) return 0
    return Math.min(Math.max(0, ...left), Math.max(0, ...right)) / Math.max(depth, 1)
  })
  return Math.max(0, ...contrasts)
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

it('splits where the valley is deepest, and only if it is deep, whatever the counts', () => {
  const random = randomFrom(27)
  let splits = 0
  for (let round = 0; round < 3_000; round += 1) {
    const counts = Array.from({ length: Math.floor(random() * 14) }, () =>
      random() < 0.3 ? 0 : Math.floor(200 * random() ** 3),
    )
    const modes = splitModes(counts.map((count, at) => ({ lowerMs: at, upperMs: at + 1, count })))
    const contrast = deepest(counts)
    expect(modes === null, counts.join()).toBe(contrast < 4)
    if (modes === null) continue
    splits += 1
    const { fastCount, slowCount, fastUpToMs, slowFromMs, slowRatio } = modes
    expect(fastCount).toBe(sum(counts.slice(0, fastUpToMs)))
    expect(slowCount).toBe(sum(counts.slice(slowFromMs)))
    expect(slowRatio).toBe(slowCount / sum(counts))
    const valley = Math.min(...counts.slice(fastUpToMs - 1, slowFromMs + 1))
    expect(
      Math.min(Math.max(...counts.slice(0, fastUpToMs)), Math.max(...counts.slice(slowFromMs))),
    ).toBeGreaterThanOrEqual(4 * valley)
  }
  expect(splits).toBeGreaterThan(300)
})
