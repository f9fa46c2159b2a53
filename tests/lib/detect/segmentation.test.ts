import { expect, test } from 'vitest'
import { optimalPartition } from '../../../lib/detect/segmentation'
import { differenceScale } from '../../../lib/stats/robust'
import { randomFrom } from '../../fuzz/random'

const truncation = 3

/**
 * The minimal truncated loss around any centre: the inliers of the best one are adjacent in order, and it is their
 * mean.
 */
function leastLoss(values: readonly number[], scale: number): number {
  const ordered = values.toSorted((a, b) => a - b)
  const lossAround = (centre: number) =>
    ordered.reduce((sum, value) => sum + Math.min(((value - centre) / scale) ** 2, truncation ** 2), 0)
  const means = ordered.flatMap((_, from) => {
    let sum = 0
    return ordered.slice(from).map((value, more) => (sum += value) / (more + 1))
  })
  return Math.min(...means.map(lossAround))
}

/** Every split, by dynamic programming over all pairs of start and end. */
function leastCost(values: readonly number[], scale: number, penalty: number): number {
  const best = [-penalty]
  for (let end = 1; end <= values.length; end += 1) {
    const costs = best.map((before, start) =>
      end - start < 2 && end < values.length ? Infinity : before + penalty + leastLoss(values.slice(start, end), scale),
    )
    best.push(Math.min(...costs))
  }
  return best.at(-1) ?? Infinity
}

const costOf = (values: readonly number[], changes: readonly number[], scale: number, penalty: number): number =>
  [0, ...changes].reduce(
    (sum, start, at) => sum + leastLoss(values.slice(start, changes[at] ?? values.length), scale),
    penalty * changes.length,
  )

/** Levels with noise and spikes; some with two modes, some rounded so that many values are equal. */
function seriesOf(random: () => number, kind: number): readonly number[] {
  const count = 5 + Math.floor(random() * 40)
  let level = 1.6
  return Array.from({ length: count }, () => {
    if (random() < 0.08) level += 0.4 * (random() - 0.5)
    const value = level + 0.06 * (random() + random() - 1) + (random() < 0.06 ? 0.5 * random() : 0)
    if (kind === 1 && random() < 0.4) return value + 0.2
    return kind === 2 ? Math.round(value * 50) / 50 : value
  })
}

test('a partition has the minimal cost, whatever the series', () => {
  const random = randomFrom(132)
  let changes = 0
  for (let at = 0; at < 80; at += 1) {
    const values = seriesOf(random, at % 3)
    const scale = Math.max(differenceScale(values), 0.005)
    const penalty = 3 * Math.log(values.length)
    const found = optimalPartition(Float64Array.from(values), scale, truncation, penalty)
    changes += found.length
    expect(costOf(values, found, scale, penalty), values.join()).toBeCloseTo(leastCost(values, scale, penalty), 6)
  }
  expect(changes).toBeGreaterThan(30)
})

test.each([
  ['equal values', [3, 3, 3, 3, 3, 3], []],
  ['one spike', [1, 1.01, 0.99, 1, 9, 1, 1.01, 1, 0.99, 1], []],
  ['a step', [1, 1.01, 0.99, 1, 1.01, 2, 2.01, 1.99, 2, 2.01], [5]],
  ['a newest value that is far off', [1, 1.01, 0.99, 1, 1.01, 1, 0.99, 5], [7]],
])('%s', (_, values, changes) => {
  expect(optimalPartition(Float64Array.from(values), 0.01, truncation, 3 * Math.log(values.length))).toEqual(changes)
})
