import { describe, expect, it } from 'vitest'
import { bucketCount, edgesNs } from '@/lib/cube/buckets'
import { cubeVersion, sliceCount, type Cube } from '@/lib/cube/cube'
import { explainSides, type WhySide } from '@/lib/explain/explain-sides'
import { randomOf } from './generated-pairs'

const names = ['GET /items', 'GET /search', 'POST /cart', 'GET /login'] as const
const levelsMs = [6, 14, 25, 40] as const
const rows = 1_500

interface Simulated {
  readonly rounds: number
  /** Standard deviation of the level between runs, as a logarithm. */
  readonly wander: number
  /** Of head: the factor of one target, and that of all. */
  readonly target?: number
  readonly all?: number
}

function bucketOf(ms: number): number {
  let [low, high] = [0, bucketCount - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edgesNs[middle] ?? 0) >= ms * 1e6) high = middle
    else low = middle + 1
  }
  return low
}

/** A run of four targets whose level wanders. */
function runOf(random: () => number, level: number, factors: readonly number[]): Cube {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const empty = () => new Uint32Array(bucketCount)
  const all = empty()
  const slices = Array.from({ length: sliceCount }, empty)
  const values = names.map((value) => ({
    value,
    rows: 0,
    sumMs: 0,
    counts: empty(),
    statusClasses: [0, 0, 0, 0, 0, 0],
  }))
  let sumMs = 0
  for (let row = 0; row < rows; row++) {
    const place = Math.floor(random() * names.length)
    const value = values[place]
    if (value === undefined) throw new Error('there are four')
    const ms = (levelsMs[place] ?? 1) * (factors[place] ?? 1) * level * Math.exp(0.3 * normal())
    const bucket = bucketOf(ms)
    sumMs += ms
    value.rows++
    value.sumMs += ms
    for (const counts of [all, value.counts, slices[Math.floor((row * sliceCount) / rows)] ?? all])
      counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return {
    ...{ version: cubeVersion, tool: 'vegeta', rows, resolutionMs: 0, spanMs: 20_000, sumMs, users: null },
    ...{ peakInFlight: null, isOpenLoop: true, all, slices, numbers: [], dropped: [] },
    attributes: [
      {
        name: 'target',
        values: values.map((one) => ({ ...one, statusClasses: [0, 0, one.rows, 0, 0, 0] })),
        restValues: 0,
      },
    ],
  }
}

function explained(seed: number, { rounds, wander, target = 1, all = 1 }: Simulated) {
  const random = randomOf(seed)
  const level = () => Math.exp(wander * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()))
  const side = (name: string, factors: readonly number[]): WhySide => {
    const runs = Array.from({ length: rounds }, () => ({
      run: { tool: 'vegeta' as const, latencies: [] },
      cube: runOf(random, level(), factors),
    }))
    const [first, ...others] = runs
    if (first === undefined) throw new Error('a side has runs')
    return { name, runs: [first, ...others] }
  }
  const base = side('base', [1, 1, 1, 1])
  const head = side('head', [all, all * target, all, all])
  const { evidence } = explainSides(base, head)
  if (evidence === null) throw new Error('both sides have rows')
  return evidence
}

const kindsOf = (seeds: number, simulated: Simulated): readonly string[] =>
  Array.from({ length: seeds }, (_, seed) => explained(1_000 * simulated.rounds + seed, simulated).explanation.kind)
const countOf = (kinds: readonly string[], kind: string): number => kinds.filter((one) => one === kind).length

describe('sides of several runs whose level wanders by 5 % between runs', () => {
  it('that are equal otherwise: nothing is named, in 97 of 100 sets of three a side', () => {
    expect(countOf(kindsOf(100, { rounds: 3, wander: 0.05 }), 'nothing')).toBeGreaterThanOrEqual(97)
  })

  it.each([3, 5])('a slower target is named, of %i runs a side', (rounds) => {
    const found = Array.from({ length: 20 }, (_, seed) =>
      explained(7_000 + seed, { rounds, wander: 0.05, target: 1.4 }),
    )
    const named = found.filter(({ explanation: { candidates } }) => candidates[0]?.value === 'GET /search')
    expect(named.length).toBeGreaterThanOrEqual(19)
  })

  it('all requests slower: named where the runs of a side differ by less, and not by chance', () => {
    expect(countOf(kindsOf(20, { rounds: 8, wander: 0.05, all: 1.3 }), 'shift')).toBeGreaterThanOrEqual(18)
    expect(countOf(kindsOf(20, { rounds: 3, wander: 0.005, all: 1.2 }), 'shift')).toBeGreaterThanOrEqual(19)
  })

  it('parts are of the rows as they are, and add up', () => {
    const { base, head, explanation } = explained(5, { rounds: 3, wander: 0.05, target: 1.5 })
    expect(explanation.parts.length).toBeGreaterThan(5)
    for (const { thresholdMs, baseShare, headShare, parts, remainder } of explanation.parts) {
      const above = ({ all, rows: of }: Cube) =>
        all.subarray(bucketOf(thresholdMs) + 1).reduce((sum, one) => sum + one, 0) / of
      expect(above(base)).toBeCloseTo(baseShare, 9)
      expect(above(head)).toBeCloseTo(headShare, 9)
      const sum = parts.reduce((total, { share }) => total + share, 0)
      expect(sum + remainder).toBeCloseTo(headShare - baseShare, 9)
    }
  })
})
