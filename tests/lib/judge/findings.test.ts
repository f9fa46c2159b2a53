import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findingsOf } from '@/lib/judge/findings'
import { splitModes } from '@/lib/stats/modes'
import { measurementMethodOf } from '@/lib/judge/measurement-method'
import { sampleLatency, sampleRun } from '../../queries/samples'
import { runsOf } from '../../read-fixture'

const idsOf = (run: Parameters<typeof findingsOf>[0]) => findingsOf(run).map((finding) => finding.id)

describe('findingsOf the seed documents', () => {
  it('explains wrk means that connections cannot carry (1657 and 1739 on 1024)', async () => {
    const [c6i, c6g] = await runsOf({ document: 'smithy-wrk' })
    if (!c6i || !c6g) throw new Error('two runs expected')
    const [first] = findingsOf(c6i).filter((finding) => finding.id === 'littles-law')
    expect(first).toMatchObject({ severity: 'explain', numbers: { connections: 1024 } })
    expect(Math.round(first?.numbers.underWay ?? 0)).toBe(1657)
    expect(first?.numbers.largestMeanMs).toBeCloseTo(0.64, 2)
    const [second] = findingsOf(c6g).filter((finding) => finding.id === 'littles-law')
    expect(Math.round(second?.numbers.underWay ?? 0)).toBe(1739)
    expect(second?.numbers.largestMeanMs).toBeCloseTo(0.74, 2)
    expect(idsOf(c6i)).toContain('wrk-corrected')
  })
  it('accepts hey runs whose figures agree (94.0 and 96.1 of 100)', async () => {
    const [dispatcher, direct] = await runsOf({ document: 'lambda-dispatcher-vs-direct' })
    for (const run of [dispatcher, direct]) if (run) expect(idsOf(run)).not.toContain('littles-law')
    expect(((dispatcher?.requestsPerSecond ?? 0) * (dispatcher?.latencies[0]?.meanMs ?? 0)) / 1000).toBeCloseTo(94.0, 1)
    expect(((direct?.requestsPerSecond ?? 0) * (direct?.latencies[0]?.meanMs ?? 0)) / 1000).toBeCloseTo(96.1, 1)
  })
  it('calls the same figures inconsistent for a tool that does not correct', async () => {
    const [run] = await runsOf({ document: 'lambda-dispatcher-vs-direct' })
    if (!run) throw new Error('a run expected')
    const [finding] = findingsOf({ ...run, load: { kind: 'closed', connections: 50 } })
    expect(finding).toMatchObject({ id: 'littles-law', severity: 'inconsistent' })
  })
  it('finds a percentile beyond the maximum in each of the latencies', async () => {
    const [run] = await runsOf({ document: 'zlib-gzip' })
    const [all] = run?.latencies ?? []
    if (!run || !all) throw new Error('a run expected')
    const successes = { ...all, of: 'success' as const, quantiles: [{ q: 0.95, ms: (all.maxMs ?? 0) * 2 }] }
    expect(idsOf(run)).not.toContain('figure-out-of-range')
    expect(idsOf({ ...run, latencies: [all, successes] })).toContain('figure-out-of-range')
  })
  it('finds the 30 s timeouts of the 300 kB payload, and only there', async () => {
    const clipped = (await runsOf({ document: 'zlib-gzip' })).map((run) => idsOf(run).includes('clipped-at-timeout'))
    expect(clipped).toEqual([false, true, false, false])
  })
  it('notes that all requests failed', async () => {
    for (const run of await runsOf({ document: 'cascade-load-test' })) {
      expect(findingsOf(run)).toContainEqual(expect.objectContaining({ id: 'all-failed', severity: 'note' }))
    }
  })
  it('says how many failed and how, before the effect of their timeouts, and what was served', async () => {
    const [few, many] = await runsOf({ document: 'zlib-gzip' })
    if (!few || !many) throw new Error('two runs expected')
    const [first, second] = findingsOf(many)
    expect(first?.sentence.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(
      '14.33 % of 21 000 requests failed: 3 009 without response, 1 with status 500; 200/s were served of 350/s',
    )
    expect(first).toMatchObject({ id: 'some-failed', severity: 'caution', numbers: { failed: 3010, attempts: 21_000 } })
    expect(second?.id).toBe('clipped-at-timeout')
    expect(findingsOf(few)[0]?.sentence).toMatch(/^0\.02/)
    // 19 connect errors of 828 million.
    const [, c6g] = await runsOf({ document: 'smithy-wrk' })
    const failed = c6g && findingsOf(c6g).find(({ id }) => id === 'some-failed')
    expect(failed).toMatchObject({ severity: 'note', numbers: { failed: 19 } })
  })
  it('says that a run never became steady, and nothing for a run that did or for which it is unknown', async () => {
    const [run] = await runsOf({ fixture: 'vegeta-csv/bodies.csv' })
    if (!run?.timeline) throw new Error('a run with a timeline expected')
    const { timeline } = run
    expect(timeline.warmUp?.isSteady).toBe(true)
    expect(idsOf(run)).not.toContain('never-steady')
    expect(idsOf({ ...run, timeline: { ...timeline, warmUp: null } })).not.toContain('never-steady')
    const moving = { ...run, timeline: { ...timeline, warmUp: { endMs: null, isSteady: false, steady: null } } }
    expect(findingsOf(moving)).toContainEqual(
      expect.objectContaining({ id: 'never-steady', severity: 'caution', learn: 'warm-up' }),
    )
  })
  it('says n = 1 for Lambda figures', async () => {
    for (const run of await runsOf({ document: 'protobuf-vs-json' })) expect(idsOf(run)).toContain('one-sample')
  })
})

describe('other findings', () => {
  it('find percentiles out of order, codes that do not sum, a rate that was not reached', async () => {
    const [run] = await runsOf({ document: 'zlib-gzip' })
    const latency = run?.latencies[0]
    if (!run || !latency) throw new Error('a run expected')
    const disordered = {
      ...run,
      latencies: [
        {
          ...latency,
          quantiles: [
            { q: 0.5, ms: 9 },
            { q: 0.9, ms: 3 },
          ],
        },
      ],
    }
    expect(findingsOf(disordered)[0]).toMatchObject({ id: 'percentiles-out-of-order', severity: 'inconsistent' })
    expect(idsOf({ ...run, statusCodes: { '200': 1 } })).toContain('codes-do-not-sum')
    expect(idsOf(run)).not.toContain('codes-do-not-sum')
    expect(idsOf({ ...run, load: { kind: 'open', ratePerSecond: 500 } })).toContain('command-contradicts-output')
  })
  it.each([
    ['hey-text/four-status-codes.txt', '0.005 [1570]', '0.005 [1170]', 'histogram-does-not-sum'],
    ['hey-text/four-status-codes.txt', '[200]\t1801', '[200]\t2801', 'rate-contradicts-count'],
    ['hey-text/four-status-codes.txt', 'Average:\t0.0084', 'Average:\t0.0884', 'figure-out-of-range'],
    ['hey-text/four-status-codes.txt', '75% in 0.0032', '75% in 0.0312', 'percentiles-out-of-order'],
    ['vegeta-text/attack-02-12.13.0.txt', '41.082ms', '1.082ms', 'percentiles-out-of-order'],
    ['vegeta-text/attack-02-12.13.0.txt', '9.205ms', '99.205ms', 'figure-out-of-range'],
    ['vegeta-text/attack-02-12.13.0.txt', '404:41 ', '404:1041 ', 'codes-do-not-sum'],
    ['vegeta-text/attack-02-12.13.0.txt', '92.05%', '99.05%', 'success-contradicts-codes'],
  ])('find what an edit of %s contradicts: %s as %s', async (fixture, printed, edited, id) => {
    const text = readFileSync(`tests/fixtures/${fixture}`, 'utf8')
    expect(text).toContain(printed)
    const [real] = await runsOf({ text })
    const [changed] = await runsOf({ text: text.replace(printed, edited) })
    if (!real || !changed) throw new Error('two runs expected')
    const contradictions = findingsOf(real).filter(({ severity }) => severity === 'inconsistent')
    expect(contradictions).toEqual([])
    expect(findingsOf(changed)).toContainEqual(expect.objectContaining({ id, severity: 'inconsistent' }))
  })
  it('report when the success ratio differs from that of the status codes', async () => {
    const [edited] = await runsOf({ fixture: 'vegeta-text/bad-success-beside-codes.txt' })
    const [real] = await runsOf({ fixture: 'vegeta-text/attack-05-12.13.0.txt' })
    if (!edited || !real) throw new Error('two runs expected')
    expect(idsOf(edited)).toContain('success-contradicts-codes')
    expect(idsOf(real)).not.toContain('success-contradicts-codes')
  })
  it('report when memory is at its limit, and how often that ended an invocation', async () => {
    const [run] = await runsOf({ fixture: 'lambda-report/errors.log' })
    if (!run?.lambda) throw new Error('a run of Lambda expected')
    const found = findingsOf(run).find(({ id }) => id === 'memory-at-limit')
    expect(found).toMatchObject({ severity: 'caution', numbers: { usedMb: 256, sizeMb: 256, outOfMemory: 3 } })
    expect(found?.sentence).toBe('256 MB of 256 MB memory used: at its limit; 3 invocations ran out of memory')
    const maxMemoryUsedMb = run.lambda.maxMemoryUsedMb && { ...run.lambda.maxMemoryUsedMb, max: 250 }
    expect(idsOf({ ...run, lambda: { ...run.lambda, maxMemoryUsedMb } })).not.toContain('memory-at-limit')
  })
  it('name percentiles beyond the count', async () => {
    const [run] = await runsOf({ document: 'zlib-gzip' })
    const latency = run?.latencies[0]
    if (!run || !latency) throw new Error('a run expected')
    expect(idsOf(run)).not.toContain('percentile-beyond-count')
    const few = findingsOf({ ...run, latencies: [{ ...latency, count: 500 }] }).find(
      (finding) => finding.id === 'percentile-beyond-count',
    )
    expect(few).toMatchObject({ numbers: { count: 500, q: 0.99, above: 5 } })
  })
})

describe('splitModes', () => {
  const buckets = (bounds: readonly number[], counts: readonly number[]) =>
    counts.map((count, at) => ({ lowerMs: bounds[at] ?? 0, upperMs: bounds[at + 1] ?? null, count }))
  const bounds = Array.from({ length: 12 }, (_, at) => 28 + at * 875.8)

  it('separates 913 fast from 87 slow requests', () => {
    const modes = splitModes(buckets(bounds, [1, 912, 0, 0, 0, 0, 0, 0, 0, 0, 87]))
    expect(modes).toMatchObject({ fastCount: 913, slowCount: 87 })
    expect(modes?.slowRatio).toBeCloseTo(0.087, 6)
  })
  it('does not split a single hump, a tail or a handful', () => {
    expect(splitModes(buckets(bounds, [1, 5740, 1042, 985, 576, 119, 15, 14, 6, 0, 2]))).toBeNull()
    expect(splitModes(buckets(bounds, [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]))).toBeNull()
    expect(splitModes([])).toBeNull()
  })
})

describe('percentile tables', () => {
  const readTable = async (name: string) => {
    const [run] = await runsOf({ text: readFileSync(`tests/fixtures/${name}`, 'utf8') })
    if (!run) throw new Error('a run expected')
    return run
  }
  it('sum up the percentiles that too few values support', async () => {
    const run = await readTable('vegeta-hdrplot/five-hundred.txt')
    const found = findingsOf(run).find(({ id }) => id === 'percentile-beyond-count')
    expect(found?.sentence).toBe(
      'few samples beyond p98.125 and 63 higher percentiles: only 9 of 500 values lie above p98.125, too few to rely on',
    )
  })
  it('state in words how few values are above', () => {
    const sentenceOf = (count: number) => {
      const summary = { ...sampleLatency(), count, quantiles: [{ q: 0.999, ms: 9 }] }
      return findingsOf(sampleRun({ requests: count, latencies: [summary] })).find(
        ({ id }) => id === 'percentile-beyond-count',
      )?.sentence
    }
    expect(sentenceOf(1_000)).toBe(
      'few samples beyond p99.9: only one of 1\u202f000 values lies above it, too few to rely on',
    )
    expect(sentenceOf(2_000)).toBe(
      'few samples beyond p99.9: only 2 of 2\u202f000 values lie above it, too few to rely on',
    )
    expect(sentenceOf(50)).toBe('few samples beyond p99.9: none of 50 values lies above it, too few to rely on')
    const names = [0.57, 0.58].map((q, at) => ({ q, ms: 9 - at }))
    const falling = sampleRun({ latencies: [{ ...sampleLatency(), quantiles: names }] })
    expect(findingsOf(falling).find(({ id }) => id === 'percentiles-out-of-order')?.sentence).toMatch(
      /^p57 .* above p58 /,
    )
  })
  it('show no humps: their rows are equal shares apart, not equal widths', async () => {
    const humps = (await runsOf({ document: 'lambda-dispatcher-vs-direct' })).find((run) =>
      idsOf(run).includes('two-modes'),
    )
    if (!humps) throw new Error('a run of two modes expected')
    const asTable = humps.latencies.map((latency) => ({ ...latency, method: 'hdr' as const }))
    expect(idsOf({ ...humps, latencies: asTable })).not.toContain('two-modes')
  })
  it('state neither loop nor errors', async () => {
    const method = measurementMethodOf(await readTable('hdr-percentiles/microseconds.hgrm'))
    expect(method).toMatchObject({ loop: 'not stated by the file', errors: 'not stated by the file' })
  })
})

describe('measurementMethodOf', () => {
  it('states the loop, the rate and the method', async () => {
    const [vegeta] = await runsOf({ document: 'zlib-gzip' })
    const [wrk] = await runsOf({ document: 'smithy-wrk' })
    if (!vegeta || !wrk) throw new Error('runs expected')
    expect(measurementMethodOf(vegeta)).toMatchObject({ loop: 'open loop', rate: 'at a fixed 350 requests/s' })
    expect(measurementMethodOf(wrk)).toMatchObject({ loop: 'closed loop', rate: 'as fast as 1024 connections allow' })
    expect(measurementMethodOf(wrk).coordinatedOmission).toMatch(/added/)
  })

  it('states the decimals of a Lambda log', async () => {
    const resolutionOf = async (fixture: string) =>
      (await runsOf({ fixture })).map((run) => measurementMethodOf(run).resolution)[0]
    expect(await resolutionOf('lambda-json/platform.ndjson')).toBe('0.001 ms')
    expect(await resolutionOf('lambda-json/filter-log-events.json')).toBe('0.01 ms')
    expect(await resolutionOf('lambda-report/xray.log')).toBe('0.01 ms')
  })
})
