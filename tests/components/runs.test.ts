import { describe, expect, it } from 'vitest'
import { readLabels, writeLabels } from '@/components/runs/label-text'
import { hrefWithoutLabel, listHref } from '@/components/runs/list-url'
import { repeatsCell, runCell, runColumns } from '@/components/runs/run-columns'
import { commonLabels, labelsInLine } from '@/components/runs/run-name'
import { figuresOf, readColumns } from '@/lib/run/metrics'
import type { RunRow } from '@/lib/history/stored-runs'
import { sampleRun } from '../queries/samples'

describe('labels of a list', () => {
  const long = 'https://example.test/results/1582105264903'
  const first = { labels: { region: 'us-east-2', id: '1582105264903', payload: '300kb', result: long } }
  const second = { labels: { region: 'us-east-2', id: '1582104905315', payload: '300kb' } }

  it('shows once what all runs share', () => {
    expect(commonLabels([first, second])).toEqual({ region: 'us-east-2', payload: '300kb' })
    expect(commonLabels([first])).toEqual({})
    expect(commonLabels([])).toEqual({})
  })
  it('collapses what does not fit on a line, and loses nothing', () => {
    expect(labelsInLine(first, { region: 'us-east-2' })).toEqual({
      labels: { payload: '300kb', id: '1582105264903' },
      folded: { result: long },
    })
    const many = { labels: { a: '1', b: '2', c: '3', d: '4' } }
    expect(labelsInLine(many, {})).toEqual({ labels: { a: '1', b: '2', c: '3' }, folded: { d: '4' } })
  })
})

describe('labels as text', () => {
  it('reads what it writes', () => {
    const labels = { commit: 'abc', command: 'hey -n 10=20' }
    expect(readLabels(writeLabels(labels))).toEqual(labels)
    expect(readLabels('\n a = b \r\n')).toEqual({ a: 'b' })
  })
  it('reports the invalid line', () => {
    expect(() => readLabels('a=b\nnonsense')).toThrow('“nonsense” is not key=value.')
    expect(() => readLabels('=b')).toThrow('“=b”')
  })
})

describe('the address of a list', () => {
  const params = new URLSearchParams('tool=hey&label=a=1&label=b=2&cursor=x&text=')
  it('keeps conditions and starts at the first page', () => {
    expect(listHref('/p/x/runs', params)).toBe('/p/x/runs?tool=hey&label=a%3D1&label=b%3D2')
    expect(listHref('/p/x/runs', params, { tool: null, sort: 'p99' })).toBe(
      '/p/x/runs?label=a%3D1&label=b%3D2&sort=p99',
    )
    expect(listHref('/p/x/runs', new URLSearchParams('cursor=x'))).toBe('/p/x/runs')
  })
  it('removes one label', () => {
    expect(hrefWithoutLabel('/p/x/runs', params, 'a=1')).toBe('/p/x/runs?tool=hey&label=b%3D2')
  })
})

const noFigures = figuresOf(sampleRun())
const day = '2026-11-21T00:00:00.000Z'

describe('the columns of a list', () => {
  const names = { id: 'a', scenario: 'GET /', variant: null, environment: null, labels: {} }
  const places = { projectId: 'p', projectSlug: 'p', uploadId: 'u', seriesId: 's', indexInUpload: 0 }
  const times = { startedAt: null, startedAtSource: null, uploadedAt: day, orderedAt: day }
  const read = {
    tool: 'wrk2',
    form: 'wrk-text',
    load: { kind: 'observed' },
    complete: true,
    candidate: false,
    guards: [],
    judged: null,
    warnings: [],
  } as const
  const rows = (p999Ms: number | null): readonly RunRow[] => [
    { ...names, ...places, ...times, ...read, figures: { ...noFigures, p999Ms } },
  ]
  const heads = (...given: Parameters<typeof runColumns>) => runColumns(...given).map(({ head }) => head)
  const defaults = ['p99', 'p50', 'Served/s', 'Failed', 'Max', 'Requests']

  it('are the same whatever runs have, except for p99.9, which few tools print', () => {
    expect(heads([])).toEqual(defaults)
    expect(heads(rows(null))).toEqual(defaults)
    expect(heads(rows(12.5))).toEqual(['p99', 'p99.9 ms', ...defaults.slice(1)])
    expect(heads(rows(null), { sort: 'p999' })).toEqual(['p99', 'p99.9', ...defaults.slice(1)])
  })
  it('are those in the address, in default order, plus the sort column', () => {
    const asked = readColumns(new URLSearchParams('columns=max,std-dev,nonsense&columns=p99'))
    expect(asked).toEqual(['std-dev', 'p99', 'max'])
    expect(heads(rows(null), { asked })).toEqual(['p99', 'Max', 'Std dev'])
    expect(heads(rows(null), { asked, sort: 'rps' })).toEqual(['p99', 'Max', 'Req/s', 'Std dev'])
    expect(readColumns(new URLSearchParams('columns=nonsense'))).toBeNull()
  })
  it("include Lambda's columns if a run has them", () => {
    const lambda = (figures: Partial<RunRow['figures']>) =>
      rows(null).map((row): RunRow => ({ ...row, tool: 'lambda', figures: { ...row.figures, ...figures } }))
    expect(heads(lambda({ meanMs: 12, billedMs: 13, maxMemoryUsedMb: 90 }))).toEqual([
      ...['Mean ms', 'Mean billed ms', 'Memory'],
    ])
    expect(heads(lambda({ p99Ms: 12, maxMs: 20, initMs: 200 }))).toEqual(['p99 ms', 'Max ms', 'Mean init ms'])
  })
  it('show latencies clipped by a timeout, and the denominator of a failure ratio', () => {
    const [row] = rows(null)
    if (!row) throw new Error('a row expected')
    // Counted apart from its 2 080 requests: 102 of 2 182 are 4.67 %.
    const figures = { ...row.figures, p99Ms: 30_001, requests: 2_080, errorCount: 102, errorRatio: 102 / 2_182 }
    const cellOf = (id: string) => {
      const column = runColumns([]).find(({ metric }) => metric.id === id) ?? expect.fail(`no ${id}`)
      return runCell(column, { ...row, tool: 'vegeta', figures })
    }
    expect(cellOf('p99').text).toMatch(/^≥/)
    expect(cellOf('error-ratio')).toEqual({ text: '4.67\u00a0%', title: '102 errors in 2\u202f182 requests' })
  })
  it('say why a run has no p99.9', () => {
    const [row] = rows(null)
    const column = runColumns([], { sort: 'p999' }).find(({ metric }) => metric.id === 'p999')
    expect(row && column && runCell(column, row)).toEqual({ text: '–', title: 'wrk2 did not print it' })
  })
})

describe('repeats in one line', () => {
  it('are bounds if the timeout clipped them, like single runs', () => {
    const column = runColumns([]).find((one) => one.metric.id === 'p99') ?? expect.fail('no p99')
    const repeats = [30_000, 30_001, 30_002].map((p99Ms, at) => ({ id: `r${at}`, figures: { ...noFigures, p99Ms } }))
    expect(repeatsCell(column, { tool: 'vegeta' }, repeats).text).toMatch(/^≥/)
    // An hdr file has no timeout.
    expect(repeatsCell(column, { tool: 'hdr' }, repeats).text).not.toMatch(/^≥/)
  })
  it('show their median and range, and say what is missing', () => {
    const columns = runColumns([])
    const column = (sortKey: string) => {
      const found = columns.find((one) => one.metric.sortKey === sortKey)
      if (!found) throw new Error(`no column ${sortKey}`)
      return found
    }
    const of = (...values: (number | null)[]) =>
      values.map((p99Ms, at) => ({ id: `r${at}`, figures: { ...noFigures, p99Ms } }))
    const cell = repeatsCell(column('p99'), { tool: 'wrk2' }, of(14, 10, 11))
    expect(cell).toMatchObject({ text: repeatsCell(column('p99'), { tool: 'wrk2' }, of(11)).text })
    expect(cell.spread).toMatch(/^10.*–14/)
    expect(repeatsCell(column('p99'), { tool: 'wrk2' }, of(7, 7)).spread).toBeNull()
    expect(repeatsCell(column('p99'), { tool: 'wrk2' }, of(null, 10, 12)).title).toMatch(
      /^Median of 2 runs, 1 without it: 10.* to 12/,
    )
    expect(repeatsCell(column('p99'), { tool: 'wrk2' }, of(null, null))).toMatchObject({ text: '–', spread: null })
  })
})
