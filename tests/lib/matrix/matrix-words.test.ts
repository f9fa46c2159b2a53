import { describe, expect, it } from 'vitest'
import { instancesByColumn, matrixAttributes } from '@/lib/matrix/attributes'
import { buildMatrix, type MatrixAxes } from '@/lib/matrix/matrix'
import { columnSentence, matrixCaution, matrixSentence } from '@/lib/matrix/matrix-words'
import { labelLayout } from '@/lib/matrix/label-layout'
import { newestGroup, runGroups } from '@/lib/matrix/run-groups'
import { findMetric } from '@/lib/run/metrics'
import { storedDocument } from '../../stored-runs'

const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ') ?? null

/** What the matrix of a document says in total and by column, and how its runs were made. */
async function said(document: string, ids: readonly string[], axes: MatrixAxes & { baselineColumn?: string } = {}) {
  const { runs, cellNotes } = await storedDocument(document)
  const metrics = ids.flatMap((id) => findMetric(id) ?? [])
  const matrix = buildMatrix(runs, { metrics, cellNotes, ...axes })
  const attributes = matrixAttributes(matrix, runs)
  const instancesOf = instancesByColumn(attributes, matrix)
  return {
    sentence: plain(matrixSentence(matrix, instancesOf)),
    caution: matrixCaution(matrix),
    columns: Object.fromEntries(
      matrix.columns.map((column) => [column, plain(columnSentence(matrix, column, instancesOf))]),
    ),
    rows: matrix.rows.map(({ name, others }) => [name, ...others.map(({ value }) => value)]),
    attributes,
  }
}

const fallback = ['requests-per-second', 'p99']

describe('what a matrix says', () => {
  it('dispatcher: which side leads where, and by which figures', async () => {
    const { sentence, caution, columns } = await said('lambda-dispatcher-vs-direct', fallback)
    expect(sentence).toBe(
      'Lambda Dispatcher serves more requests in 2 of 3 scenarios (may be noise), on a fifth of the instances; Direct Lambda in 1 (×2.03)',
    )
    expect(caution).toMatch(/^One run per cell/)
    expect(columns).toEqual({
      'Lambda Dispatcher': 'More requests in 2 of 3, which may be noise; the only one with POST: 9 MB Binary Echo',
      'Direct Lambda':
        '×2.03 the requests on GET: Text/Plain Ping, on ×5 the instances; 25 % fewer requests on GET: Image/Jpeg and POST: Image/Jpeg Echo, which may be noise; no run of POST: 9 MB Binary Echo (not possible: 6 MB limit)',
    })
  })
  it('four tools on one endpoint: one row, a column each, and no leader without a possible verdict', async () => {
    const { sentence, caution, columns, rows, attributes } = await said('four-tools', fallback)
    expect(rows).toEqual([['GET /api/items with four tools']])
    expect(attributes.differing.find(({ name }) => name === 'tool')?.columns.map((one) => one?.text)).toEqual([
      'hey',
      'oha',
      'k6',
      'wrk',
    ])
    expect([sentence, caution]).toEqual(['No verdict on Req/s', null])
    expect(columns).toEqual({
      hey: null,
      k6: 'No verdict on Req/s: base: the run lasted 391 ms, less than a second',
      oha: 'No verdict on Req/s: the run lasted 444 ms, less than a second',
      wrk: 'No verdict on Req/s: base: the run lasted 391 ms, less than a second',
    })
  })
  it('names a leading latency by its usual name', async () => {
    const { sentence, columns } = await said('lambda-dispatcher-vs-direct', ['p99'], {
      baselineColumn: 'Direct Lambda',
    })
    expect(sentence).toMatch(/^Lambda Dispatcher has the lower p99 in 2 of 3 scenarios \(may be noise\), on a fifth/)
    expect(columns['Lambda Dispatcher']).toMatch(/p99 .* lower on .* which may be noise; on a fifth of the instances$/)
  })
  it('zlib: failures come first, and no latency of a failing cell is compared', async () => {
    const { sentence, columns } = await said('zlib-gzip', fallback)
    expect(sentence).toBe(
      '300kb payload fails 14.33 % of requests; gzipped 300kb payload - :zlib bypassed has a p99 91 % lower than 250kb payload',
    )
    expect(columns['300kb payload']).toBe('Fails 14.33 % of requests')
  })
  it('zlib by its labels: a name that the column already states makes no row', async () => {
    const axes = { rowsBy: 'label:payload', columnsBy: 'label:content-encoding' } as const
    const { rows, columns, sentence } = await said('zlib-gzip', fallback, axes)
    expect(rows).toEqual([['250kb'], ['300kb'], ['350kb']])
    expect(sentence).toBe('(none) fails 14.33 % of requests on 300kb')
    expect(columns).toEqual({
      '(none)': 'Fails 14.33 % of requests on 300kb; the only one with 250kb',
      gzip: 'No run of 250kb',
    })
  })
  it('protobuf: each operation next to its own base', async () => {
    const { sentence, columns } = await said('protobuf-vs-json', ['mean'])
    expect(sentence).toBe(
      'get_protobuf_data has the lower mean in 2 of 2 scenarios; send_protobuf_data in 2 of 2 (may be noise)',
    )
    expect(columns['get_json_data']).toBe(
      'Mean 13 times as high on Large message; mean 8.3 % higher on Small message, which may be noise',
    )
  })
  it('smithy and cascade: one row', async () => {
    expect((await said('smithy-wrk', fallback)).sentence).toBe(
      'c6g.8xlarge serves 14 % fewer requests than c6i.8xlarge, which may be noise',
    )
    const cascade = await said('cascade-load-test', fallback)
    expect(cascade.sentence).toBe('Every request failed in every cell')
    expect(cascade.caution).toBeNull()
  })
})

describe('the best of a row', () => {
  it('is marked if one run each decides it, and nowhere else', async () => {
    const { runs, cellNotes } = await storedDocument('lambda-dispatcher-vs-direct')
    const metrics = fallback.flatMap((id) => findMetric(id) ?? [])
    const { rows } = buildMatrix(runs, { metrics, cellNotes })
    const marked = (key: 'leads' | 'best') =>
      rows.flatMap(({ name, cells }) =>
        cells.flatMap(({ column, figures }) => (figures[0]?.[key] ? [`${column}, ${name}`] : [])),
      )
    expect(marked('leads')).toHaveLength(3)
    expect(marked('best')).toEqual(['Direct Lambda, GET: Text/Plain Ping'])
  })
})

describe('how the runs of a matrix were made', () => {
  it('differing attributes are rows, those of a row are shown there, equal ones once', async () => {
    const { attributes } = await said('lambda-dispatcher-vs-direct', fallback)
    expect(attributes.differing).toEqual([
      {
        name: 'instances',
        columns: [
          { text: '20', factor: null, except: 'POST: 9 MB Binary Echo: 2' },
          { text: '100', factor: '×5', except: '' },
        ],
      },
      {
        name: 'Req/s per instance, GET: Text/Plain Ping',
        columns: [
          { text: '137/s', factor: null, except: '' },
          { text: '55.5/s', factor: '×0.405', except: '' },
        ],
      },
    ])
    expect(attributes.equal).toContain('region us-east-2')
    expect(attributes.rows[0]?.map(plain)).toEqual(['10\u202f000 requests', '100 connections'])
  })
  it('the result of a run with a fixed length is not an attribute', async () => {
    expect((await said('smithy-wrk', fallback)).attributes.differing).toEqual([])
  })
})

it('offers two labels as axes if they distinguish all variants', async () => {
  expect(labelLayout((await storedDocument('zlib-gzip')).runs)).toEqual({
    rowsBy: 'label:payload',
    columnsBy: 'label:content-encoding',
  })
  for (const document of ['lambda-dispatcher-vs-direct', 'protobuf-vs-json', 'smithy-wrk', 'cascade-load-test'])
    expect(labelLayout((await storedDocument(document)).runs), document).toBeNull()
})

describe('runs of a commit, or of a document', () => {
  it('groups by commit, otherwise by document, the newest first', async () => {
    const { runs } = await storedDocument('smithy-wrk')
    const [first, second] = runs
    if (!first || !second) throw new Error('two runs expected')
    const at = (run: typeof first, seriesId: string, commit: string | null, uploadId = 'u') => ({
      ...run,
      seriesId,
      uploadId,
      labels: commit === null ? {} : { commit },
    })
    const groups = runGroups([at(first, 'a', 'x', '1'), at(second, 'b', 'x', '2'), at(first, 'a', null, '3')])
    expect(groups.map(({ kind, value, runs: own }) => [kind, value, own.length])).toEqual([
      ['commit', 'x', 2],
      ['upload', '3', 1],
    ])
    expect(newestGroup(groups)?.value).toBe('x')
    // A night with one run fills no matrix: the newest run of each cell is shown.
    expect(newestGroup(groups.toReversed())).toBeNull()
    expect(newestGroup([])).toBeNull()
  })
})
