import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { clipCell, matrixCsv, matrixJson, matrixTable } from '@/components/shared/matrix-files'
import { matrixQueryOf } from '@/components/matrix/matrix-url'
import { prepareMatrix, type PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { showRows } from '@/components/matrix/shown-rows'
import { readSides } from '@/lib/judge/compare-url'
import { storedDocument } from '../stored-runs'

// Files in one process share modules: loaded again, with the mock, for this file only.
vi.resetModules()
vi.doMock('next/navigation', () => ({
  useRouter: () => ({}),
  usePathname: () => '/s/token',
  useSearchParams: () => new URLSearchParams(),
}))
const { SharedMatrix } = await import('@/components/shared/shared-matrix')
afterAll(() => {
  vi.doUnmock('next/navigation')
  vi.resetModules()
})

const cellSchema = z.object({ figures: z.array(z.object({ value: z.number().nullable() })) })
const jsonSchema = z.object({ rows: z.array(z.object({ cells: z.array(cellSchema) })) })
const dispatcher = () => storedDocument('lambda-dispatcher-vs-direct')
const htmlOf = (prepared: PreparedMatrix) =>
  renderToStaticMarkup(
    <SharedMatrix token="token" prepared={prepared} notes="We keep the **dispatcher**" tables={[]} />,
  )

it('a shared matrix shows its figures and notes, and links only to its own cells', async () => {
  const { runs, cellNotes } = await dispatcher()
  const prepared = prepareMatrix(runs, matrixQueryOf('metric=p99&base=Direct+Lambda'), cellNotes)
  expect(prepared.sentence).toBe('7 runs: 4 scenarios × 2 variants')
  const html = htmlOf(prepared)
  for (const note of cellNotes) expect(html).toContain(note.text.slice(0, 10))
  expect(html).toContain('<strong>dispatcher</strong>')
  expect(html).not.toMatch(/<button|<form|\/p\//)
  const hrefs = [...html.matchAll(/href="([^"]*)/g)].map(([, href]) => href ?? '')
  // Seven cells, and three rows with more than one.
  expect(hrefs).toHaveLength(10)
  for (const href of hrefs) {
    const sides = readSides(new URL(href, 'http://x').searchParams.get('cell') ?? '')
    expect(href).toMatch(/^\/s\/token\?cell=/)
    expect(sides?.flat().every((id) => runs.some((run) => run.id === id))).toBe(true)
  }
  expect(matrixTable(prepared.matrix, prepared.metrics[0] ?? fail()).head).toContain('Direct Lambda (base)')
})

it('a shared sweep draws its curve, and links nowhere', async () => {
  const { runs } = await storedDocument('zlib-gzip')
  const html = htmlOf(prepareMatrix(runs, matrixQueryOf('view=sweep&metric=p99'), []))
  expect(html).toContain('over payload')
  expect(html).not.toMatch(/<form|\/p\//)
  // Except to its own figures, on the same page.
  expect([...html.matchAll(/href="([^"]*)/g)].map(([, href]) => href)).toEqual(['/s/token?table=sweep-p99#sweep-p99'])
})

it('the cost of a request is a row, from labels and bills', async () => {
  const { runs } = await dispatcher()
  const { attributes } = prepareMatrix(runs, matrixQueryOf('base=Direct+Lambda'), [])
  const cost = attributes.differing.find(({ name }) => name.startsWith('Cost per request'))
  // 100 instances serve 5,553 a second, 20 serve 2,741: (20 ÷ 2741) ÷ (100 ÷ 5553).
  expect(cost).toEqual({
    name: 'Cost per request at equal instance prices, GET: Text/Plain Ping',
    columns: [
      { text: '×0.405', factor: null, except: '' },
      { text: '×1.00', factor: null, except: '' },
    ],
  })
  const lambda = await storedDocument('protobuf-vs-json')
  const billed = prepareMatrix(lambda.runs, matrixQueryOf(''), []).attributes.differing
  const perMillion = billed.find(({ name }) => name.startsWith('Lambda, per million requests'))
  // Each operation next to its own kind: get with get, send with send.
  const [get, send, getJson, sendJson] = perMillion?.columns.map((one) => one?.factor ?? null) ?? []
  expect([get, send]).toEqual([null, null])
  expect([getJson, sendJson].every((factor) => factor == null || Number(factor.slice(1)) < 20)).toBe(true)
})

it('an empty cell links to the line that gives the reason', async () => {
  const { runs, cellNotes } = await dispatcher()
  const stored = cellNotes.map((note, at) => ({ ...note, id: String(at), uploadId: 'u1' }))
  const prepared = prepareMatrix(runs, matrixQueryOf(''), stored)
  const parts = { ...prepared, projectSlug: 'p', hrefOf: null, cellNotes: stored }
  const cells = showRows(parts).rows.flatMap((row) => row.cells)
  const [note] = cellNotes
  const line = note?.line ?? fail()
  expect(cells.flatMap((cell) => cell.line ?? [])).toEqual([
    { number: line, href: `/api/v1/projects/p/uploads/u1/raw?lines=${line - 5}-${line + 5}` },
  ])
  // A user's note has no line in a document.
  const own = stored.map((one) => ({ ...one, uploadId: null, line: null }))
  expect(JSON.stringify(showRows({ ...parts, cellNotes: own }))).not.toContain('/raw?')
})

it('files of a shared matrix contain every figure unrounded', async () => {
  const { runs, cellNotes } = await dispatcher()
  const prepared = prepareMatrix(runs, matrixQueryOf('metric=requests-per-second,p99'), cellNotes)
  const values = runs.flatMap(({ figures }) => prepared.metrics.map((metric) => metric.read(figures)))
  expect(values.length).toBe(14)
  const csv = matrixCsv(prepared)
  for (const value of values) expect(csv).toContain(`,${value ?? ''},`)
  const { rows } = jsonSchema.parse(JSON.parse(matrixJson(prepared)))
  const stored = rows.flatMap(({ cells }) => cells.flatMap(({ figures }) => figures.map(({ value }) => value)))
  const known = (all: readonly (number | null)[]) => all.filter((value) => value !== null).sort()
  expect(known(stored)).toEqual(known(values))
})

it('page, table, CSV and JSON state the certainty of a cell in the same words', async () => {
  const { runs, cellNotes } = await dispatcher()
  const prepared = prepareMatrix(runs, matrixQueryOf('metric=p99&base=Direct+Lambda'), cellNotes)
  const words = prepared.matrix.rows.flatMap(({ cells }) =>
    cells.flatMap(({ figures }) => figures.flatMap(({ word }) => word ?? [])),
  )
  expect(words.length).toBeGreaterThan(1)
  expect(words.every((word) => /^(n = 1|equal|may be noise)$/.test(word))).toBe(true)
  const html = htmlOf(prepared)
  const csv = matrixCsv(prepared)
  // The preview draws this table.
  const table = matrixTable(prepared.matrix, prepared.metrics[0] ?? fail()).rows.flat()
  const json = matrixJson(prepared)
  for (const word of words) {
    expect(html).toContain(word)
    expect(csv).toContain(`,${word},`)
    expect(table.some((cell) => cell.includes(`${word})`))).toBe(true)
    expect(json).toContain(`"word": "${word}"`)
  }
})

it('a cell that is cut in a preview shows its verdict whole or not at all', () => {
  const cell = '193 ms (×0.49 better), 20 Nov 2026'
  for (let most = 4; most <= cell.length; most += 1) expect(clipCell(cell, most)).not.toMatch(/\((?!.*\))/)
  expect(clipCell(cell, 23)).toBe('193 ms...')
  expect(clipCell(cell, cell.length)).toBe(cell)
})

const fail = (): never => {
  throw new Error('no metric')
}
