import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixtureText, readText } from '../document-text'
import { figuresOf } from './figures'
import { caseCount } from '../../case-count'

const empty = fixtureText('wrk-text/bad-wrk2-no-response.txt')
const whole = fixtureText('wrk-text/wrk2-uncorrected.txt')
const distribution = /^ {2}Latency Distribution[\s\S]*?\n-{10,}\n/m

/** wrk2's report without responses, depending on its options and the machine's C library. */
const emptyReports = fc
  .record({
    nan: fc.constantFrom('-nan', 'nan'),
    options: fc.constantFrom('none', '--latency', '-U'),
    calibrations: fc.nat({ max: 3 }),
    errors: fc.boolean(),
  })
  .map(({ nan, options, calibrations, errors }) => {
    const [one = ''] = distribution.exec(empty) ?? []
    const uncorrected = one.replace(
      'Recorded Latency)',
      'Uncorrected Latency (measured without taking delayed starts into account))',
    )
    const printed = { none: '', '--latency': one, '-U': `${one}\n${uncorrected}` }[options]
    return empty
      .replace(distribution, printed)
      .replace(/^ +Thread calibration.*\n/gm, '')
      .replace(
        /^(?= +Thread Stats)/m,
        '  Thread calibration: mean lat.: 0.000ms, rate sampling interval: 10ms\n'.repeat(calibrations),
      )
      .replace(errors ? /$^/ : /^ +Socket errors.*\n/m, '')
      .replaceAll('-nan', nan)
  })

describe('wrk2 without a response', () => {
  it('is one run with 0 requests and no latencies, alone and next to others', async () => {
    const own = (await readText(whole)).runs.map(figuresOf)
    await fc.assert(
      fc.asyncProperty(emptyReports, fc.constantFrom('before', 'behind', 'alone'), async (report, place) => {
        const texts = { before: [report, whole], behind: [whole, report], alone: [report] }[place]
        const { runs, problems } = await readText(texts.join('\n\n'))
        expect(problems).toEqual([])
        const none = runs.filter(({ requests }) => requests === 0)
        expect(none.map(({ form, complete, successes }) => [form, complete, successes])).toEqual([
          ['wrk-text', true, 0],
        ])
        for (const { count, quantiles, maxMs, meanMs, histogram } of none[0]?.latencies ?? [])
          expect({ count, quantiles, maxMs, meanMs, histogram }).toEqual({
            count: 0,
            quantiles: [],
            maxMs: null,
            meanMs: null,
            histogram: null,
          })
        expect(runs.filter(({ requests }) => requests !== 0).map(figuresOf)).toEqual(place === 'alone' ? [] : own)
      }),
      { numRuns: caseCount(200) },
    )
  })
})

describe("a script's JSON for wrk2, with corrected and uncorrected latencies", () => {
  const json = fixtureText('wrk-lua-json/bad-corrected-and-measured.json')
  const expected = [
    [3.185524, 12.262, [2.785, 10.222]],
    [1.1855, 9.262, [1.785, 8.222]],
  ]
  const figures = ({ latencies }: Awaited<ReturnType<typeof readText>>['runs'][number]) =>
    latencies.map(({ meanMs, maxMs, quantiles }) => [meanMs, maxMs, quantiles.map(({ ms }) => ms)])

  it('yields both, in either order and in any unit', async () => {
    const { latency_us: both, ...rest } = JSON.parse(json) as { latency_us: Record<string, Record<string, number>> }
    for (const [unit, factor] of [
      ['us', 1],
      ['ms', 1e-3],
      ['s', 1e-6],
    ] as const)
      for (const names of [
        ['corrected', 'uncorrected'],
        ['uncorrected', 'corrected'],
      ]) {
        const scaled = names.map((name) => [
          name,
          Object.fromEntries(Object.entries(both[name] ?? {}).map(([key, us]) => [key, us * factor])),
        ])
        const text = JSON.stringify({ ...rest, [`latency_${unit}`]: Object.fromEntries(scaled) })
        const { runs } = await readText(text)
        expect(runs.map(({ latencies }) => latencies.map(({ of }) => of))).toEqual([['all', 'uncorrected']])
        const [all, uncorrected] = runs.flatMap(figures)
        expect(all?.flat(2)).toEqual(expected[0]?.flat(2).map((ms) => expect.closeTo(ms, 6)))
        expect(uncorrected?.flat(2)).toEqual(expected[1]?.flat(2).map((ms) => expect.closeTo(ms, 6)))
      }
  })

  it('adds the uncorrected ones to the report above it', async () => {
    const report = fixtureText('wrk-text/lua-prints-json.txt').replace(/\n\{[\s\S]*$/, '')
    const [above] = (await readText(report)).runs
    const [mean, max] = [above?.latencies[0]?.meanMs ?? 0, above?.latencies[0]?.maxMs ?? 0]
    const text = JSON.stringify({
      requests: above?.requests,
      duration_ms: above?.durationMs,
      errors: { connect: 0, read: 0, write: 0, status: 0, timeout: 0 },
      latency_ms: { corrected: { mean, max, p50: mean }, uncorrected: { mean: mean / 2, max: max / 2, p50: mean / 4 } },
    })
    const { runs } = await readText(`${report}\n${text}\n`)
    expect(runs.map(({ latencies }) => latencies.map(({ of, meanMs, maxMs }) => [of, meanMs, maxMs]))).toEqual([
      [
        ['all', mean, max],
        ['uncorrected', mean / 2, max / 2],
      ],
    ])
  })
})
