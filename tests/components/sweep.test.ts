import { describe, expect, it } from 'vitest'
import type { LineMark, Prepared } from '@/components/charts/plot/model'
import { isGeometric, prepareSweep } from '@/components/charts/sweep'
import { figuresOf, findMetric, type Metric } from '@/lib/run/metrics'
import { buildSweep, chooseAxis, sweepAxes, type Sweep, type SweepRun } from '@/lib/matrix/sweep'
import { axisName } from '@/lib/matrix/sweep-axis'
import { breakSentences, shapeSentences, sweepSentence } from '@/lib/matrix/sweep-findings'
import { runsOf } from '../read-fixture'

const metric = (id: string): Metric => findMetric(id) ?? expect.fail(`no metric ${id}`)

const box = 100_000
const panelOf = (prepared: Prepared | null) => prepared?.plot.panels[0]
const lineOf = (prepared: Prepared | null) =>
  panelOf(prepared)?.marks.find((mark): mark is LineMark => mark.kind === 'line')

async function seedRuns(document: string): Promise<readonly SweepRun[]> {
  return (await runsOf({ document })).map((run, at) => {
    const { scenario, variant, environment, labels } = run.proposal
    const names = { scenario: scenario ?? '', variant, environment, labels }
    return { ...names, id: String(at), tool: run.tool, load: run.load, figures: figuresOf(run) }
  })
}

function sweepOf(runs: readonly SweepRun[]): Sweep {
  return buildSweep(runs, chooseAxis(sweepAxes(runs), null) ?? expect.fail('nothing was varied'))
}

/** A real run at several rates, with made-up figures. */
async function steppedRuns(p99Of: (rate: number) => number | null, rates: readonly number[]) {
  const [run] = await seedRuns('zlib-gzip')
  if (run === undefined) throw new Error('a run expected')
  return rates.map((rate, at) => ({
    ...run,
    id: String(at),
    labels: {},
    load: { kind: 'open', ratePerSecond: rate } as const,
    figures: { ...run.figures, requestsPerSecond: rate, p99Ms: p99Of(rate) },
  }))
}

it('draws an objective as a named rule, at the edge of a scale that it is beyond', async () => {
  const sweep = sweepOf(await seedRuns('cascade-load-test'))
  const ruleOf = (value: number) => {
    const limits = [{ name: 'p99 ≤ 80\u00a0ms', value, metricId: 'p99' }]
    const drawn = (id: string) => JSON.stringify(prepareSweep(sweep, metric(id), null, undefined, limits)?.plot.panels)
    return [
      drawn('p99').includes('p99 ≤ 80\u00a0ms'),
      drawn('p99').includes('above this scale'),
      drawn('mean').includes('≤'),
    ]
  }
  expect(ruleOf(80)).toEqual([true, false, false])
  expect(ruleOf(80_000)).toEqual([true, true, false])
})

describe('words of sweeps', () => {
  it("cascade: the origin's latency adds up, and nothing bends", async () => {
    const sweep = sweepOf(await seedRuns('cascade-load-test'))
    // (1522.010176 − 622.800045) ms over 900 ms, fitted over all three: all 404 by design, so nothing breaks.
    expect(shapeSentences(sweep, metric('mean'))).toEqual(['Mean grows linearly by 0.999\u00a0ms for each ms: no knee'])
    expect(shapeSentences(sweep, metric('requests-per-second'))).toEqual([
      'Req/s changes by less than 5\u00a0%: no knee',
    ])
    expect(breakSentences(sweep)).toEqual([])
  })
  it('zlib breaks between 250 and 300 kB, gzip does not', async () => {
    const sweep = sweepOf(await seedRuns('zlib-gzip'))
    expect(breakSentences(sweep)).toEqual([
      'payload: breaks between 250\u00a0kb and 300\u00a0kb, where requests served fall from 99.98\u00a0% to 85.67\u00a0%',
    ])
    expect(shapeSentences(sweep, metric('p99'))).toEqual([
      'payload: 2 values of p99: a knee needs at least 5',
      'gzipped payload - :zlib bypassed: 2 values of p99: a knee needs at least 5',
    ])
  })
  it('one sentence: where it breaks, otherwise the shape of its first figure', async () => {
    expect(sweepSentence(sweepOf(await seedRuns('zlib-gzip')), [metric('p99')])).toMatch(/^payload: breaks between/)
    expect(sweepSentence(sweepOf(await seedRuns('cascade-load-test')), [metric('mean'), metric('p99')])).toBe(
      'Mean grows linearly by 0.999\u00a0ms for each ms: no knee',
    )
  })
  it('names the knee of a hockey stick, with a caution for single runs', async () => {
    const rates = [100, 200, 300, 400, 500, 600]
    const single = await steppedRuns((rate) => (rate <= 400 ? 20 : rate), rates)
    const [words] = shapeSentences(sweepOf(single), metric('p99'))
    expect(words).toBe('Knee at 400/s: p99 20.0\u00a0ms, and steeper from there (one run per value: may be noise)')
    const twice = [...single, ...single.map((run) => ({ ...run, id: `${run.id}b` }))]
    expect(shapeSentences(sweepOf(twice), metric('p99'))).toEqual([
      'Knee at 400/s: p99 20.0\u00a0ms, and steeper from there',
    ])
  })
  it('breaks where an open loop cannot send what it should', async () => {
    const runs = await steppedRuns(() => 20, [1_000, 2_000, 4_000])
    const slow = runs.map((run) =>
      run.id === '2' ? { ...run, figures: { ...run.figures, requestsPerSecond: 3_000 } } : run,
    )
    expect(breakSentences(sweepOf(runs))).toEqual([])
    expect(breakSentences(sweepOf(slow))).toEqual([
      'Breaks between 2\u202f000/s and 4\u202f000/s, where requests served fall from 99.98\u00a0% to 75\u00a0%',
    ])
  })
})

describe('the plot of a sweep', () => {
  it('has its points at their numbers, on suitable scales', async () => {
    const cascade = prepareSweep(sweepOf(await seedRuns('cascade-load-test')), metric('mean'), 'p')
    expect(cascade?.scales).toEqual({ x: 'linear', y: 'linear' })
    expect(cascade?.plot.places).toEqual([box / 10, box / 2, box])
    expect(lineOf(cascade)?.hrefs).toEqual(['/p/p/runs/1', '/p/p/runs/2', '/p/p/runs/3'])
    expect(cascade?.plot.x.ticks.map(({ label }) => label)).toEqual([
      '100\u00a0ms',
      '500\u00a0ms',
      '1\u202f000\u00a0ms',
    ])
    const zlib = prepareSweep(sweepOf(await seedRuns('zlib-gzip')), metric('p99'), 'p')
    expect(zlib?.scales).toEqual({ x: 'linear', y: 'log' })
    expect(panelOf(zlib)?.y.ticks.map(({ label }) => label)).toEqual([
      '10\u00a0ms',
      '100\u00a0ms',
      '1\u00a0s',
      '10\u00a0s',
      '100\u00a0s',
    ])
    expect(panelOf(zlib)?.rules).toEqual([
      expect.objectContaining({ at: box / 2, label: 'payload breaks', verdict: 'worse', href: '/p/p/compare/0...1' }),
    ])
    expect(zlib?.table().rows).toEqual([
      ['250\u00a0kb', '193', '–'],
      ['300\u00a0kb', '30\u202f001', '17.7'],
      ['350\u00a0kb', '–', '22.2'],
    ])
    const asked = { x: 'log', y: 'linear' } as const
    expect(prepareSweep(sweepOf(await seedRuns('zlib-gzip')), metric('p99'), 'p', asked)?.scales).toEqual(asked)
  })
  it('labels values where there is room, always including the last', async () => {
    const runs = await steppedRuns((rate) => rate, [100, 200, 300, 400, 500, 600, 700, 800])
    const ticks = prepareSweep(sweepOf(runs), metric('p99'), 'p')?.plot.x.ticks.map(({ label }) => label)
    expect(ticks).toEqual(['100/s', '200/s', '300/s', '400/s', '500/s', '600/s', '800/s'])
  })
  it('uses a logarithmic axis only for steps by a factor', () => {
    expect(isGeometric([1, 10, 100, 300])).toBe(true)
    expect(isGeometric([1, 2, 4, 8, 16, 32])).toBe(true)
    expect(isGeometric([100, 500, 1_000])).toBe(false)
    expect(isGeometric([1, 100])).toBe(false)
    expect(isGeometric([0, 1, 10, 100])).toBe(false)
    expect(isGeometric([100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000])).toBe(false)
  })
  it('leaves a gap for a missing figure', async () => {
    const runs = await steppedRuns((rate) => (rate === 200 ? null : rate), [100, 200, 300, 400])
    const line = lineOf(prepareSweep(sweepOf(runs), metric('p99'), 'p'))
    expect(line?.y.map((value) => value === null)).toEqual([false, true, false, false])
    expect(prepareSweep(sweepOf(runs), metric('billed'), 'p')).toBeNull()
  })
  it('shows the spread of repeats', async () => {
    const runs = await steppedRuns((rate) => rate, [100, 200])
    const again = runs.map((run) => ({ ...run, id: `${run.id}b`, figures: { ...run.figures, p99Ms: 300 } }))
    const prepared = prepareSweep(sweepOf([...runs, ...again]), metric('p99'), 'p')
    expect(lineOf(prepared)?.texts).toEqual(['200 (100–300, 2 runs)', '250 (200–300, 2 runs)'])
    const spans = panelOf(prepared)?.marks.flatMap((mark) => (mark.kind === 'spans' ? mark : [])) ?? []
    expect(spans.map(({ low, high }) => low.map((one, at) => one < (high[at] ?? 0)))).toEqual([[true, true]])
  })
})

it('labels an axis with the varied quantity and its unit', async () => {
  const names = async (document: string) => sweepAxes(await seedRuns(document)).map(axisName)
  expect((await names('zlib-gzip'))[0]).toBe('payload, kb')
  expect((await names('cascade-load-test'))[0]).toBe('Cascade with Origin Simulator latency, ms')
})
