import { describe, expect, it } from 'vitest'
import { packReads, readRun, unpackReads } from '../../../components/charts/plot/rows/strip-reads'
import { prepareStrip, stripRuns, type StripInput } from '../../../components/charts/strip'

const points = (values: readonly (number | null)[], outside: readonly number[] = []): StripInput['points'] =>
  values.map((value, at) => ({ value, isOutside: outside.includes(at) }))
const strip = (more: Partial<StripInput> & Pick<StripInput, 'points'>) =>
  prepareStrip({ metricName: 'p99', levels: [], state: 'as-expected', ...more })
const steady = Array.from({ length: 40 }, (_, at) => 100 + (at % 3))

describe('strip', () => {
  it('shows the last 30 runs, the newest with the mark of its state', () => {
    const one = strip({ points: points(steady), state: 'unusual' })
    expect(one?.dots).toHaveLength(stripRuns - 1)
    expect(one?.newest?.[0]).toBeCloseTo(0.968)
    expect(one?.state).toBe('unusual')
    expect(one?.label).toBe('p99 of the last 30 runs; newest: unusual')
  })

  it('has a bar over the runs while its environment was another', () => {
    const day = (at: number) => new Date(Date.UTC(2026, 10, 1 + at)).toISOString()
    const timed = points(Array<number>(20).fill(100)).map((one, at) => ({
      ...one,
      run: { orderedAt: day(at), commit: null, runs: 1 },
    }))
    const words = 'm7i.large itself became 2.9× slower on 11 Nov 2026'
    const shift = { since: day(10), overSince: day(15), words }
    const one = strip({ points: timed, shifts: [shift] })
    expect(one?.moved).toHaveLength(1)
    expect(one?.moved[0]?.left).toBeLessThan(one?.dots[10]?.[0] ?? 0)
    expect(one?.moved[0]?.right).toBeGreaterThan(one?.dots[14]?.[0] ?? 1)
    expect(one?.moved[0]?.right).toBeLessThan(one?.dots[15]?.[0] ?? 0)
    expect(one?.label).toContain(words)
    expect(strip({ points: timed, shifts: [{ ...shift, since: day(30), overSince: null }] })?.moved).toEqual([])
    expect(strip({ points: timed })?.moved).toEqual([])
  })

  it('has no band if none is stored', () => {
    const one = strip({ points: points([3, 2, 4, 3]), state: 'no-history' })
    expect(one?.bands).toEqual([])
    expect(one?.medians).toEqual([])
    // Four runs do not fill the box.
    expect(one?.newest?.[0]).toBeLessThan(0.5)
  })

  it('steps its band where the level changed', () => {
    const one = strip({
      points: points([...Array<number>(20).fill(100), ...Array<number>(20).fill(120)]),
      levels: [
        { from: 0, value: 100, low: 95, high: 105 },
        { from: 20, value: 120, low: 114, high: 126 },
      ],
    })
    expect(one?.changes).toHaveLength(1)
    const [before, after] = one?.bands ?? []
    expect(before?.left).toBe(0)
    expect(before?.right).toBe(one?.changes[0])
    expect(after?.left).toBe(one?.changes[0])
    expect(after?.right).toBe(1)
    // Down means up in SVG.
    expect(after?.bottom).toBeLessThan(before?.top ?? 0)
  })

  it('omits levels that ended before it', () => {
    const levels = [
      { from: 0, value: 50, low: 45, high: 55 },
      { from: 5, value: 100, low: 95, high: 105 },
    ]
    const one = strip({ points: points(steady), levels })
    expect(one?.bands).toHaveLength(1)
    expect(one?.changes).toEqual([])
    // They do not stretch its scale.
    expect(one?.bands[0]?.bottom).toBeCloseTo(0.84)
  })

  it('shows past runs that were outside, and gaps', () => {
    const one = strip({ points: points([1, 2, null, 9, 2, 1], [3]) })
    expect(one?.outside).toHaveLength(1)
    expect(one?.outside[0]?.[1]).toBeCloseTo(0.16)
    expect(one?.dots).toHaveLength(3)
    expect(one?.threads.map((part) => part.length)).toEqual([2, 3])
    expect(one?.label).toBe('p99 of the last 6 runs; newest: as expected; 1 run before it outside')
  })

  it('is null for fewer than two figures', () => {
    expect(strip({ points: points([5]) })).toBeNull()
    expect(strip({ points: points([null, 5, null]) })).toBeNull()
  })

  it('draws equal figures in the middle', () => {
    expect(strip({ points: points([5, 5, 5]) })?.newest?.[1]).toBeCloseTo(0.5)
  })
})

it('says of each run what the pointer reads there: value, time and commit, and what was expected', () => {
  const run = { orderedAt: '2026-11-09T02:05:07.000Z', commit: 'cf07663', runs: 1 }
  const levels = [{ from: 1, value: 47, low: 43.9, high: 50.3 }]
  const repeats = { ...run, commit: null, runs: 5 }
  const one = prepareStrip({
    metricName: 'p95',
    unit: 'ms',
    points: [
      { value: 41, isOutside: false, run: repeats },
      { value: 46.8, isOutside: false, run },
      { value: 46.8, isOutside: false },
      { value: null, isOutside: false, run },
    ],
    levels,
    state: null,
  })
  const reads = unpackReads(packReads(one?.reads ?? expect.fail('nothing to read')))
  expect(reads.runs.map((_, at) => readRun(reads, at))).toEqual([
    ['41.0\u00a0ms p95, 5 runs', '9 Nov 2026, 02:05'],
    ['46.8\u00a0ms p95', '9 Nov 2026, 02:05 · cf07663', 'expected 43.9–50.3'],
    [],
    [],
  ])
})

it('packs a strip so that it can be read again, whatever a commit is called', () => {
  const commit = 'v2\tof\nmany'
  const run = { orderedAt: '2026-11-09T02:05:00.000Z', commit, runs: 1 }
  const points = [1, 2].map((value) => ({ value, isOutside: false, run }))
  const one = prepareStrip({ metricName: 'served', unit: 'per-second', points, levels: [], state: null })
  const reads = one?.reads ?? expect.fail('nothing to read')
  const read = { ...run, commit: 'v2 of many', level: -1 }
  expect(unpackReads(packReads(reads))).toEqual({
    ...reads,
    runs: [
      { ...read, value: 1 },
      { ...read, value: 2 },
    ],
  })
})
