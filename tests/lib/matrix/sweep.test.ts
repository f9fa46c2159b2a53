import { describe, expect, it } from 'vitest'
import { quantitiesIn, readQuantity } from '@/lib/matrix/quantity'
import { figuresOf } from '@/lib/run/metrics'
import { buildSweep, chooseAxis, sweepAxes, type Sweep } from '@/lib/matrix/sweep'
import { runsOf } from '../../read-fixture'

describe('quantities in labels and names', () => {
  it.each([
    ['250kb', { value: 250, unit: 'kb', dimension: 'size', base: 250_000 }],
    ['512 MB', { value: 512, unit: 'MB', dimension: 'size', base: 512e6 }],
    ['1 MiB', { value: 1, unit: 'MiB', dimension: 'size', base: 1_048_576 }],
    ['400rps', { value: 400, unit: 'rps', dimension: 'rate', base: 400 }],
    ['20', { value: 20, unit: '', dimension: 'count', base: 20 }],
    ['1.5s', { value: 1.5, unit: 's', dimension: 'time', base: 1_500 }],
  ] as const)('%s is one', (text, quantity) => {
    expect(readQuantity(text)).toEqual(quantity)
  })
  it.each(['1 CPU / 2 GB', 'HTTP/2', 'v3', '1.2.3', 'c5.2xlarge', '2021-02-10', 'd823f61', '', 'main'])(
    '%s is none',
    (text) => {
      expect(readQuantity(text)).toBeNull()
    },
  )
  it('finds the quantities in a name', () => {
    const of = (text: string) => quantitiesIn(text).map(({ value, unit }) => `${value}${unit}`)
    expect(of('Cascade with Origin Simulator latency 1000ms')).toEqual(['1000ms'])
    expect(of('gzipped 300kb payload - :zlib bypassed')).toEqual(['300kb'])
    expect(of('60s 400rps')).toEqual(['60s', '400rps'])
    expect(of('POST: 9 MB Binary Echo')).toEqual(['9MB'])
    expect(of('c6i.8xlarge, HTTP/2, python3.9, 2021-02-10')).toEqual([])
    expect(of('3 apples')).toEqual(['3'])
  })
})

describe('the sweeps of the seed documents', () => {
  it("cascade: over the origin's latency, a number in the names of variants", async () => {
    const runs = await sweptRuns('cascade-load-test')
    const [axis, ...others] = sweepAxes(runs)
    expect(others).toEqual([])
    expect(axis).toMatchObject({
      field: 'variant',
      title: 'Cascade with Origin Simulator latency',
      dimension: 'time',
      unit: 'ms',
    })
    const sweep = buildSweep(runs, axis ?? expect.fail())
    expect(shown(sweep)).toEqual([['Cascade with Origin Simulator latency', [100, ['1']], [500, ['2']], [1000, ['3']]]])
    expect(sweep.without.map((run) => run.variant)).toEqual(['Non cascade'])
  })
  it('zlib and gzip: over the payload, a line each', async () => {
    const runs = await sweptRuns('zlib-gzip')
    const [axis] = sweepAxes(runs)
    expect(axis).toMatchObject({ field: 'label:payload', title: 'payload', dimension: 'size', unit: 'kb' })
    const lines = [
      ['payload', [250, ['0']], [300, ['1']]],
      ['gzipped payload - :zlib bypassed', [300, ['2']], [350, ['3']]],
    ]
    expect(shown(buildSweep(runs, axis ?? expect.fail()))).toEqual(lines)
    // The names say the same.
    expect(sweepAxes(runs).map(({ field }) => field)).toEqual(['label:payload', 'variant'])
    const byName = chooseAxis(sweepAxes(runs), 'variant')
    expect(byName).toMatchObject({ title: 'size in the variant' })
    expect(shown(buildSweep(runs, byName ?? expect.fail()))).toEqual(lines)
  })
  it.each(['lambda-dispatcher-vs-direct', 'protobuf-vs-json', 'smithy-wrk'])('%s: nothing was varied', async (name) => {
    expect(sweepAxes(await sweptRuns(name))).toEqual([])
  })
})

describe('a sweep', () => {
  it('uses one unit, and separates series with several loads at one value', async () => {
    const [run] = await sweptRuns('smithy-wrk')
    if (run === undefined) throw new Error('a run expected')
    const at = (id: string, memory: string, connections = 1024) => ({
      ...run,
      id,
      labels: { memory, commit: id },
      load: { kind: 'closed', connections } as const,
    })
    const runs = [at('a', '512 MB'), at('b', '1 GB'), at('c', '512 MB'), at('d', 'much')]
    const [axis] = sweepAxes(runs)
    const sweep = buildSweep(runs, axis ?? expect.fail())
    expect(shown(sweep)).toEqual([['Smithy Rust Server SDK benchmarks', [512, ['a', 'c']], [1000, ['b']]]])
    expect(sweep.without.map(({ id }) => id)).toEqual(['d'])

    // Names that are just the number do not say what it is.
    const named = ['1 kB', '300 kB'].map((variant) => ({ ...run, id: variant, labels: {}, variant }))
    expect(sweepAxes(named)).toMatchObject([{ field: 'variant', title: 'size in the variant', unit: 'kB' }])

    const mixed = [...runs, at('e', '512 MB', 64), at('f', '1 GB', 64)]
    const byMemory = buildSweep(mixed, chooseAxis(sweepAxes(mixed), 'label:memory') ?? expect.fail())
    expect(shown(byMemory).map(([name]) => name)).toEqual(['wrk · 1\u202f024 connections', 'wrk · 64 connections'])
    const byConnections = buildSweep(mixed, chooseAxis(sweepAxes(mixed), 'connections') ?? expect.fail())
    expect(shown(byConnections)).toEqual([
      ['Smithy Rust Server SDK benchmarks', [64, ['e', 'f']], [1024, ['a', 'b', 'c', 'd']]],
    ])
  })
})

async function sweptRuns(document: string) {
  return (await runsOf({ document })).map((run, at) => {
    const { scenario, variant, environment, labels } = run.proposal
    const names = { scenario: scenario ?? '', variant, environment, labels }
    return { ...names, id: String(at), tool: run.tool, load: run.load, figures: figuresOf(run) }
  })
}

const shown = ({ series }: Sweep): readonly (readonly [string, ...(readonly [number, readonly string[]])[]])[] =>
  series.map(({ name, points }) => [name, ...points.map(({ x, runs }) => [x, runs.map(({ id }) => id)] as const)])
