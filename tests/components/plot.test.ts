import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import fc from 'fast-check'
import * as hdr from 'hdr-histogram-js'
import { describe, expect, it } from 'vitest'
import { objective } from '@/lib/run/limits'
import { prepareEcdf } from '@/components/charts/ecdf'
import { prepareHistogram } from '@/components/charts/histogram'
import { preparePercentiles } from '@/components/charts/percentiles'
import { stopsOf } from '@/components/charts/plot/cursor'
import { panelMarkup } from '@/components/charts/plot/drawing'
import { onLogScale, type Plot } from '@/components/charts/plot/model'
import { pack, packTable, sharingPacker } from '@/components/charts/plot/sent/pack'
import { unpack } from '@/components/charts/plot/sent/unpack'
import { headingAt, readPanel, readSides } from '@/components/charts/plot/readings'
import { pathThrough, type Place } from '@/components/charts/plot/svg'
import { readScale, readTables, scaleQuery, tableQuery } from '@/components/charts/plot/address'
import { TableRegion, unpackTable } from '@/components/charts/plot/table'
import type { PlottedRun } from '@/components/charts/plotted-run'
import { element, words } from '@/components/ui/markup'
import { runsOf } from '../read-fixture'

const printed = async (document: string): Promise<readonly PlottedRun[]> =>
  (await runsOf({ document })).map((imported, at) => ({ id: String(at), name: `run ${at}`, imported }))

/** Ten runs of 20,000 values between 1 and 2,000 ms, in ns, as a million requests of a file are stored. */
const recorded: readonly PlottedRun[] = Array.from({ length: 10 }, (_, seed) => {
  const histogram = hdr.build({ numberOfSignificantValueDigits: 3, highestTrackableValue: 4e9 })
  for (let at = 1; at <= 20_000; at += 1)
    histogram.recordValue(1e6 * 2_000 ** (((at * 7_919 + seed) % 20_011) / 20_011))
  const nothing = { minMs: null, meanMs: null, stdDevMs: null, maxMs: null, withinOneStdDevRatio: null, quantiles: [] }
  const latency = {
    ...nothing,
    of: 'all' as const,
    count: 20_000,
    histogram: { kind: 'hdr' as const, v2Base64: hdr.encodeIntoCompressedBase64(histogram), unit: 'ns' as const },
    origin: 'samples' as const,
    method: 'nearest-rank' as const,
  }
  return { id: String(seed), name: `v${seed}`, imported: { latencies: [latency], tool: 'vegeta', requests: 20_000 } }
})

const drawn = (plot: Plot): readonly string[] => plot.panels.map((panel) => String(panelMarkup(plot, panel)))
const sent = <One>(value: One): One => unpack(JSON.parse(JSON.stringify(pack(value))))
const bytes = (what: unknown) => JSON.stringify(what).length

async function plotsOf(runs: readonly PlottedRun[]): Promise<readonly Plot[]> {
  const unit = { label: 'ms', factor: 1 }
  const ecdf = prepareEcdf(runs, { scale: 'log', unit, xDomain: [0.1, 10_000], ticksMs: [1, 100] })
  return [preparePercentiles(runs, objective(250)), prepareHistogram(runs), ecdf].flatMap((one) => one?.plot ?? [])
}

describe('data sent to a browser', () => {
  const number = fc.oneof(fc.integer(), fc.nat(40), fc.double({ noNaN: true, noDefaultInfinity: true }))
  const text = fc.oneof(fc.string(), fc.constantFrom('#1 2', '$a', '~', 'a\nb', ''))
  const leaf = fc.oneof(fc.boolean(), fc.constant(null), text, number)
  const rising = fc.tuple(fc.integer(), fc.nat(9), fc.nat(30)).map(([from, step, count]) => {
    return Array.from({ length: count }, (_, at) => from + at * step)
  })
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(fc.option(number)),
      fc.array(text),
      rising,
      fc.array(tie('value')),
      fc.dictionary(
        fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
        tie('value'),
      ),
    ),
  }))
  const rounded = (one: unknown): unknown => {
    if (typeof one === 'number') return Number.isInteger(one) ? one + 0 : Number(one.toPrecision(12)) + 0
    if (Array.isArray(one)) return one.map(rounded)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, rounded(part)]))
  }

  it('are the values, to twelve digits', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(rounded(sent(one))).toEqual(rounded(one))
      }),
    )
  })

  it('draw and read as prepared, on both scales', async () => {
    for (const runs of [recorded, await printed('lambda-dispatcher-vs-direct'), await printed('zlib-gzip')]) {
      for (const plot of await plotsOf(runs)) {
        const arrived = sent(plot)
        expect(arrived).toEqual(rounded(JSON.parse(JSON.stringify(plot))))
        expect(drawn(arrived)).toEqual(drawn(plot))
        expect(drawn(onLogScale(arrived))).toEqual(drawn(onLogScale(plot)))
        const stops = stopsOf(plot)
        expect(stops.length).toBeGreaterThan(1)
        for (const [at, x] of stopsOf(arrived).entries()) {
          const said = (one: Plot, place: number) => one.panels.map((panel) => readPanel(one, panel, place))
          if (at % 7 > 0) continue
          const texts = (rows: ReturnType<typeof said>) => rows.flat().map(({ name, text: words }) => [name, words])
          expect(texts(said(arrived, x))).toEqual(texts(said(plot, stops[at] ?? 0)))
          expect(headingAt(arrived, x)).toBe(headingAt(plot, stops[at] ?? 0))
        }
      }
    }
  })

  it('share equal records, and restore each value', () => {
    const rules = (label: string) => [
      { kind: 'label', at: 3, title: 'version 1 → 2', label },
      { kind: 'event', at: 4, title: '', label: 'deploy' },
    ]
    const values = [
      { id: 'p99', y: { rules: rules('2') }, line: [1, null, 3] },
      { id: 'p50', y: { rules: rules('2') }, line: [4, 5, 6] },
      { id: 'max', y: { rules: rules('') }, line: [] },
    ]
    const together = sharingPacker()
    const packed = values.map((value) => together(value))
    const rulesOf = packed.map((one) => Reflect.get(Object(Reflect.get(Object(one.packed), 'y')), 'rules'))
    expect(rulesOf[1]).toBe(rulesOf[0])
    expect(rulesOf[2]).not.toBe(rulesOf[0])
    expect(rulesOf[2][1]).toBe(rulesOf[0][1])
    expect(packed.map((one) => unpack(one))).toEqual(values)
  })

  it('restore a table from its columns', () => {
    const table = {
      head: ['When', 'a', 'b'],
      rows: [
        ['2025', '–', '1'],
        ['2024', '#7', ''],
        ['2023', 'a\nb', '–'],
      ],
    }
    expect(unpackTable(packTable(table))).toEqual(table)
    const empty = { head: ['When', 'a'], rows: [] }
    expect(unpackTable(packTable(empty))).toEqual(empty)
  })

  it("are a third of the size of a percentile plot's points", () => {
    const prepared = preparePercentiles(recorded)
    expect(bytes(pack(prepared?.plot))).toBeLessThan(bytes(prepared?.lines) / 3)
  })
})

describe('drawings', () => {
  it('let no text become an element or escape its attribute', () => {
    const hostile = '"><script>alert(1)</script>&amp;'
    expect(String(element('text', { 'aria-label': hostile }, words(hostile)))).toBe(
      '<text aria-label="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;">' +
        '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;</text>',
    )
    const table = { head: [hostile, hostile], rows: [[hostile, '']] }
    const markup = renderToStaticMarkup(createElement(TableRegion, { title: hostile, table }))
    expect(markup).not.toContain('<script')
    expect(markup).toContain('<td></td>')
  })

  /** The points of a path, parsed like a browser does. */
  function readPath(path: string): readonly Place[] {
    const numbers = path.match(/-?\d+/g)?.map(Number) ?? []
    let [right, down] = [0, 0]
    return Array.from({ length: numbers.length / 2 }, (_, at) => {
      right += numbers[at * 2] ?? 0
      down += numbers[at * 2 + 1] ?? 0
      return [right / 10_000, down / 10_000]
    })
  }

  it('pass through every point, within half of a ten-thousandth of the box', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(share, share), { maxLength: 60 }), (places) => {
        const path = pathThrough(places, 10_000)
        expect(path).toMatch(/^(M\d+ \d+(l-?\d+(?: |(?=-))-?\d+(?:(?: |(?=-))-?\d+(?: |(?=-))-?\d+)*)?)?$/)
        const read = readPath(path)
        expect(read).toHaveLength(places.length)
        read.forEach(([right, down], at) => {
          expect(Math.abs(right - (places[at]?.[0] ?? 9))).toBeLessThanOrEqual(0.5001e-4)
          expect(Math.abs(down - (places[at]?.[1] ?? 9))).toBeLessThanOrEqual(0.5001e-4)
        })
      }),
    )
  })

  it('have a marker where the tool printed a value, hollow where few are slower', async () => {
    const [run] = await printed('zlib-gzip')
    const plot = preparePercentiles(run ? [run] : [])?.plot
    const dots = plot?.panels[0]?.marks.flatMap((mark) => (mark.kind === 'dots' ? [[mark.isHollow, mark.which]] : []))
    expect(dots).toEqual([[false, [0, 1, 2]]])
    const few = run && {
      ...run,
      imported: { ...run.imported, latencies: run.imported.latencies.map((one) => ({ ...one, count: 50 })) },
    }
    const hollow = preparePercentiles(few ? [few] : [])?.plot.panels[0]?.marks
    expect(hollow?.flatMap((mark) => (mark.kind === 'dots' ? [[mark.isHollow, mark.which]] : []))).toEqual([
      [false, [0]],
      [true, [1, 2]],
    ])
    expect(preparePercentiles(recorded)?.plot.panels[0]?.marks.some(({ kind }) => kind === 'dots')).toBe(false)
  })
})

describe("the cursor's reading", () => {
  it('is interpolated between two recorded values, and missing between two printed ones', async () => {
    const read = (plot: Plot | undefined, x: number) =>
      plot?.panels.flatMap((panel) => readPanel(plot, panel, x).map(({ text }) => text.replace('\u00a0', ' ')))
    const [run] = await printed('zlib-gzip')
    const known = preparePercentiles(run ? [run] : [])?.plot
    expect(read(known, 100)).toEqual(['193 ms'])
    expect(read(known, 50)).toEqual([])
    expect(known && headingAt(known, 100)).toBe('p99: 1 in 100 requests is slower')
    expect(read(preparePercentiles(recorded.slice(0, 1))?.plot, 50.5)).toHaveLength(1)
  })

  it('has median and range for the repeats of a side, and the value for a lone run', () => {
    const style = { color: 'blue', dash: '', marker: 'circle' } as const
    const side = { name: 'gzip', size: 3 }
    const of = (name: string) => ({ id: name, name, side, style })
    const rows = readSides(
      [
        { series: of('gzip (1)'), value: 3 },
        { series: of('gzip (2)'), value: null },
        { series: of('gzip (3)'), value: 5 },
        { series: { id: 'z', name: 'zlib', style: { ...style, color: 'red' } }, value: 7 },
      ],
      (one) => `${one} ms`,
    )
    expect(rows.map(({ name, text }) => [name, text])).toEqual([
      ['gzip', '4 ms (3 ms to 5 ms)'],
      ['zlib', '7 ms'],
    ])
  })
})

it('lists in the address which plots are tables', () => {
  expect(readTables(['shift.over-time', 'shift', '<x>'])).toEqual(['shift', 'over-time'])
  expect(readTables(undefined)).toEqual([])
  expect(tableQuery(new URLSearchParams('m=p99'), 'shift')).toBe('?m=p99&table=shift')
  expect(tableQuery(new URLSearchParams('table=shift.over-time'), 'shift')).toBe('?table=over-time')
  expect(tableQuery(new URLSearchParams('tables=1&table=shift'), 'shift')).toBe('?table=')
  // A share shows the tables of its view until the reader chooses.
  expect(tableQuery(new URLSearchParams(''), 'shift', ['shift'])).toBe('?table=')
})

it('keeps in the address the scale of a plot that has two', () => {
  expect(scaleQuery(new URLSearchParams('m=p99&y=linear'), 'log')).toBe('?m=p99&y=log')
  expect([readScale('log'), readScale(['linear', 'log']), readScale('up'), readScale(undefined)]).toEqual([
    'log',
    'linear',
    null,
    null,
  ])
})
