import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeRuns } from '@/lib/merge/merge-runs'
import type { MergePart } from '@/lib/merge/merge-latencies'
import { errorCountOf, leadingLatency } from '@/lib/run/figures'
import { formatDuration } from '@/lib/format'
import type { ImportedRun, Latency } from '@/lib/run/run'
import { barsOf, isSameHistogram, quantileReader } from '@/lib/stats/histogram'
import { runsOf } from '../../read-fixture'
import { steadyRows, vegetaCsv, type VegetaRow } from '../../vegeta-csv'
import { caseCount } from '../../case-count'

async function runOf(rows: readonly VegetaRow[]): Promise<ImportedRun> {
  const [run] = await runsOf({ text: vegetaCsv(rows) })
  if (run === undefined) throw new Error('vegeta-csv is not read')
  return run
}

const named = (runs: readonly ImportedRun[]): readonly MergePart[] =>
  runs.map((run, at) => ({ name: `part ${at + 1}`, run }))

async function merged(runs: readonly ImportedRun[]): Promise<ImportedRun> {
  const outcome = await mergeRuns(named(runs))
  if (outcome.kind === 'refused') throw new Error(outcome.reason)
  return outcome.run
}

async function refused(runs: readonly ImportedRun[]): Promise<string> {
  const outcome = await mergeRuns(named(runs))
  return outcome.kind === 'refused' ? outcome.reason : 'merged'
}

const rowArbitrary = fc.record({
  atMs: fc.integer({ min: 1, max: 9_999 }),
  latencyNs: fc.integer({ min: 1, max: 30_000_000_000 }),
  code: fc.constantFrom(200, 200, 200, 204, 404, 500, 0),
})
/** Both ends are in every part, so that the parts ran for the same ten seconds. */
const partArbitrary = fc
  .tuple(fc.array(rowArbitrary, { minLength: 1, maxLength: 150 }), fc.nat(1_000_000), fc.nat(1_000_000))
  .map(([rows, first, last]): readonly VegetaRow[] => [
    { atMs: 0, latencyNs: 1_000 + first, code: 200 },
    ...rows,
    { atMs: 10_000, latencyNs: 2_000 + last, code: 200 },
  ])
const partsArbitrary = fc.array(partArbitrary, { minLength: 2, maxLength: 5 })

/** Both divide by a million, each in its own way. */
const inNs = (ms: number) => Math.round(ms * 1e6)
const latencyOf = (run: ImportedRun, of: Latency['of']) => run.latencies.find((one) => one.of === of)

it('is the run of all samples, whichever generator sent which', async () => {
  await fc.assert(
    fc.asyncProperty(partsArbitrary, async (parts) => {
      const whole = await runOf(parts.flat())
      const sum = await merged(await Promise.all(parts.map(runOf)))
      expect(sum.requests).toBe(whole.requests)
      expect(sum.statusCodes).toEqual(whole.statusCodes)
      expect([sum.bytesIn, sum.bytesOut]).toEqual([whole.bytesIn, whole.bytesOut])
      expect(errorCountOf(sum)).toBe(errorCountOf(whole))
      expect([sum.startedAt, sum.attackMs]).toEqual([whole.startedAt, whole.attackMs])
      expect(sum.latencies.map(({ of }) => of)).toEqual(whole.latencies.map(({ of }) => of))
      for (const exact of whole.latencies) {
        const own = latencyOf(sum, exact.of)
        if (own?.histogram?.kind !== 'hdr' || exact.histogram?.kind !== 'hdr') throw new Error('no histogram')
        expect(isSameHistogram(own.histogram, exact.histogram)).toBe(true)
        expect(own.histogram.v2Base64).toBe(exact.histogram.v2Base64)
        expect([own.count, own.minMs, own.maxMs]).toEqual([exact.count, exact.minMs, exact.maxMs])
        expect(own.meanMs).toBeCloseTo(exact.meanMs ?? NaN, 6)
        if (exact.stdDevMs === null) expect(own.stdDevMs).toBeNull()
        else expect(Math.abs((own.stdDevMs ?? NaN) - exact.stdDevMs)).toBeLessThan(1e-6 * (1 + exact.stdDevMs))
        const read = quantileReader(exact)
        const expected = exact.quantiles.map(({ q }) => [q, inNs(Math.min(exact.maxMs ?? NaN, read(q) ?? NaN))])
        expect(own.quantiles.map(({ q, ms }) => [q, inNs(ms)])).toEqual(expected)
        // The samples' own values are within the width of a slot.
        for (const [at, { ms }] of exact.quantiles.entries()) {
          expect(own.quantiles[at]?.ms).toBeGreaterThanOrEqual(ms)
          expect(own.quantiles[at]?.ms).toBeLessThanOrEqual(ms * (1 + 1 / 1_024) + 1e-6)
        }
      }
    }),
    { numRuns: caseCount(40) },
  )
})

it('does not depend on the order of the parts', async () => {
  await fc.assert(
    fc.asyncProperty(partsArbitrary, async (parts) => {
      const runs = await Promise.all(parts.map(runOf))
      const there = await mergeRuns(runs.map((run, at) => ({ name: `part ${at}`, run })))
      const back = await mergeRuns(runs.map((run, at) => ({ name: `part ${at}`, run })).reverse())
      expect(back).toEqual(there)
    }),
    { numRuns: caseCount(20) },
  )
})

it('adds the rates of parts that ran the whole time, and divides by the total time if they only overlap', async () => {
  const [a, b, late] = await Promise.all([
    runOf(steadyRows(1_001, 10_000)),
    runOf(steadyRows(501, 10_000, 500, 7_000_000)),
    runOf(steadyRows(501, 10_000, 4_000, 9_000_000)),
  ])
  const both = await merged([a, b])
  expect(both.requestsPerSecond).toBeCloseTo((a.requestsPerSecond ?? NaN) + (b.requestsPerSecond ?? NaN), 9)
  expect(both.attackMs).toBe(10_000)
  expect(both.warnings.map(({ message }) => message)).toContain(`the parts began within ${formatDuration(500)}`)
  const overlapping = await merged([a, late])
  expect(overlapping.attackMs).toBe(14_000)
  expect(overlapping.requestsPerSecond).toBeCloseTo(1_502 / 14, 9)
  expect(overlapping.load).toEqual({ kind: 'open', ratePerSecond: null })
})

it('refuses runs that followed each other', async () => {
  const runs = await Promise.all([runOf(steadyRows(101, 10_000)), runOf(steadyRows(101, 10_000, 9_000, 6_000_000))])
  expect(await refused(runs)).toContain('part 1 and part 2 did not run at the same time')
})

it('assumes a common start if none is stated, as long as the durations agree', async () => {
  const a = { ...(await runOf(steadyRows(101, 10_000))), startedAt: null }
  const b = { ...(await runOf(steadyRows(101, 9_000, 0, 6_000_000))), startedAt: null }
  const c = { ...(await runOf(steadyRows(101, 5_000, 0, 6_000_000))), startedAt: null }
  const assumed = (await merged([a, b])).warnings.find(({ code }) => code === 'merged-caution')
  expect(assumed?.message).toMatch(/ran at the same time is assumed$/)
  expect(await refused([a, c])).toBe(
    `part 2 took ${formatDuration(5_000)} and part 1 ${formatDuration(10_000)}, and not all of them say when they began: nothing shows that they ran at the same time.`,
  )
})

it('refuses what its histograms, tools and loops cannot give, with names', async () => {
  const [wrk] = await runsOf({ fixture: 'wrk-text/latency.txt' })
  const [hey] = await runsOf({ fixture: 'hey-text/ten-thousand.txt' })
  const [lambda] = await runsOf({ fixture: 'lambda-report/aws-logs-tail.log' })
  const vegeta = await runOf(steadyRows(101, 10_000))
  if (!wrk || !hey || !lambda) throw new Error('a fixture is not read')
  const otherWrk = { ...wrk, requests: (wrk.requests ?? 0) + 1 }
  expect(await refused([wrk, otherWrk])).toBe('part 1 has percentiles only: there is no histogram that could be added.')
  expect(await refused([wrk, hey])).toBe('part 1 is of wrk, part 2 of hey: what they count and measure differs.')
  expect(await refused([wrk, wrk])).toBe('part 1 and part 2 have the same figures: they are one run twice.')
  expect(await refused([lambda, { ...lambda, requests: 99 }])).toContain('does not generate load')
  expect(await refused([vegeta, { ...vegeta, requests: 99, load: { kind: 'closed', connections: 1 } }])).toContain(
    'an open loop, part 2 of a closed loop',
  )
  const both = await merged([vegeta, await runOf(steadyRows(51, 10_000, 0, 8_000_000))])
  expect(await refused([both, vegeta])).toBe('part 1 is already made of several runs.')
  expect(await refused([vegeta])).toBe('There are fewer than two runs.')
})

it('refuses a report together with the results it was made from', async () => {
  const rows = steadyRows(101, 10_000)
  const results = await runOf(rows)
  const all = leadingLatency(results)
  const report: ImportedRun = {
    ...results,
    form: 'vegeta-json',
    requests: results.requests,
    latencies: all === null ? [] : [{ ...all, histogram: null, origin: 'summary', method: 't-digest' }],
  }
  expect(await refused([results, report])).toContain('are the same attack in two forms')
})

it('adds printed buckets if no bound splits a count', async () => {
  const [first] = await runsOf({ fixture: 'vegeta-hist/buckets-option.txt' })
  if (first === undefined) throw new Error('vegeta-hist is not read')
  const withBuckets = (bounds: readonly (readonly [number, number | null, number])[]): ImportedRun => ({
    ...first,
    latencies: first.latencies.map((latency) => ({
      ...latency,
      count: bounds.reduce((sum, [, , count]) => sum + count, 0),
      histogram: {
        kind: 'buckets',
        inclusive: 'lower',
        buckets: bounds.map(([lowerMs, upperMs, count]) => ({ lowerMs, upperMs, count })),
      },
    })),
    requests: bounds.reduce((sum, [, , count]) => sum + count, 0),
    statusCodes: {},
  })
  const a = withBuckets([[0, 10, 5], [10, 20, 3], [20, 40, 0], [40, null, 1]]) // prettier-ignore
  const b = withBuckets([[0, 10, 2], [10, 15, 1], [15, 20, 4], [20, 30, 2], [30, null, 7]]) // prettier-ignore
  const histogram = leadingLatency(await merged([a, b]))?.histogram
  if (histogram?.kind !== 'buckets') throw new Error('no buckets')
  expect(barsOf(histogram)).toEqual([
    { lowerMs: 0, upperMs: 10, count: 7 },
    { lowerMs: 10, upperMs: 20, count: 8 },
    { lowerMs: 20, upperMs: 30, count: 2 },
    { lowerMs: 30, upperMs: null, count: 8 },
  ])
  expect(leadingLatency(await merged([a, b]))?.quantiles).toEqual([])
  const [hey] = await runsOf({ fixture: 'hey-text/ten-thousand.txt' })
  const [other] = await runsOf({ fixture: 'hey-text/four-status-codes.txt' })
  if (!hey || !other) throw new Error('a fixture is not read')
  expect(await refused([hey, { ...other, durationMs: hey.durationMs }])).toContain('have no bounds in common')
})

it('reads percentiles from summed Fortio buckets like Fortio, between those of its parts', async () => {
  const [a] = await runsOf({ fixture: 'fortio-json/compact.json' })
  const [b] = await runsOf({ fixture: 'fortio-json/rate-not-kept.json' })
  if (!a || !b) throw new Error('a fixture is not read')
  const times = { startedAt: a.startedAt, durationMs: a.durationMs, load: a.load }
  const [own, other] = [leadingLatency(a), leadingLatency(b)]
  const sum = leadingLatency(await merged([a, { ...b, ...times }]))
  expect(sum).toMatchObject({ method: 'within-buckets', count: (own?.count ?? NaN) + (other?.count ?? NaN) })
  for (const { q, ms } of sum?.quantiles ?? []) {
    const ends = [own, other].flatMap((one) => one?.quantiles.find((known) => known.q === q)?.ms ?? [])
    if (ends.length < 2) continue
    expect(ms).toBeGreaterThanOrEqual(Math.min(...ends) * 0.999)
    expect(ms).toBeLessThanOrEqual(Math.max(...ends) * 1.001)
  }
  expect(sum?.quantiles.map(({ q }) => q)).toContain(0.99)
})

it('is as complete as its parts', async () => {
  const [a, b] = await Promise.all([runOf(steadyRows(101, 10_000)), runOf(steadyRows(51, 10_000, 0, 8_000_000))])
  expect((await merged([a, b])).complete).toBe(true)
  const cut = await merged([a, { ...b, complete: false }])
  expect(cut.complete).toBe(false)
  expect(cut.warnings.map(({ message }) => message)).toContain(
    'the output of part 2 is truncated, so this run is not whole either',
  )
})

it('weights phases by their own values if those are counted', async () => {
  const [a, b] = await Promise.all([runOf(steadyRows(1_001, 10_000)), runOf(steadyRows(501, 10_000))])
  const phase = { name: 'Server-Timing db', minMs: 1, p50Ms: 2, p99Ms: 3 }
  const both = await merged([
    { ...a, phases: [{ ...phase, count: 1, meanMs: 2, maxMs: 4 }] },
    { ...b, phases: [{ ...phase, count: 3, meanMs: 4, maxMs: 9 }] },
  ])
  expect(both.phases).toEqual([{ name: phase.name, count: 4, meanMs: 3.5, minMs: 1, maxMs: 9 }])
})
