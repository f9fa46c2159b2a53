import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorOf, fixtureText, readText } from '../document-text'
import { figuresOf } from './figures'
import { caseCount } from '../../case-count'

/** A table without quotes, as rows of cells. */
const rowsOf = (path: string, separator: string): string[][] =>
  fixtureText(path)
    .split(/\r?\n/)
    .map((line) => line.split(separator))

const tables = [
  { path: 'k6-csv/timeouts-ns.csv', separator: ',' },
  { path: 'k6-csv/resets-ms.csv', separator: ',' },
  { path: 'jmeter-csv/tabs.jtl', separator: '\t' },
  { path: 'jmeter-csv/bad-iso-times.jtl', separator: '\t' },
  { path: 'jmeter-csv/redirects.jtl', separator: ',' },
].map((table) => ({ ...table, rows: rowsOf(table.path, table.separator) }))

describe('rows with a heading', () => {
  it('give the same run in any order of their columns', async () => {
    for (const { rows, path } of tables)
      expect([path, new Set(rows.map(({ length }) => length)).size]).toEqual([path, 1])
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tables),
        fc.infiniteStream(fc.nat()),
        async ({ path, separator, rows }, draws) => {
          const places = [...(rows[0] ?? []).keys()]
            .map((place) => ({ place, draw: draws.next().value ?? 0 }))
            .sort((a, b) => a.draw - b.draw)
          const text = rows.map((row) => places.map(({ place }) => row[place] ?? '').join(separator)).join('\n')
          const [{ runs }, own] = [await readText(`${text}\n`), await readText(`${fixtureText(path)}\n`)]
          expect(runs.map(figuresOf)).toEqual(own.runs.map(figuresOf))
        },
      ),
      { numRuns: caseCount(150) },
    )
  })
})

describe("k6's NDJSON", () => {
  const texts = ['two-scenarios', 'expected-404', 'one-request'].map((name) => fixtureText(`k6-ndjson/${name}.ndjson`))

  it('is never complete if its beginning is missing, wherever it was lost', async () => {
    let read = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), fc.nat(), async (text, choice) => {
        // Within a line: the rest of it is not JSON, and more than its first character is missing.
        const at = 2 + (choice % (text.length - 4))
        if ([at, at - 1, at - 2].some((place) => text[place] === '\n')) return
        const rest = `${text.slice(at)}\n`
        const error = await errorOf(readText(rest))
        if (error !== null) return
        read++
        const { runs, problems } = await readText(rest)
        expect(runs.map(({ complete }) => complete)).toEqual([false])
        expect(problems.map(({ code, severity, line }) => [code, severity, line])).toContainEqual([
          'truncated',
          'error',
          1,
        ])
      }),
      { numRuns: caseCount(300) },
    )
    expect(read).toBeGreaterThan(200)
  })

  it('shows by metrics that are declared later that earlier lines are missing', async () => {
    const lines = fixtureText('k6-ndjson/two-scenarios.ndjson').split('\n')
    const { runs } = await readText(`${lines.slice(1).join('\n')}\n`)
    expect(runs.map(({ complete }) => complete)).toEqual([false])
    const points = lines.filter((line) => !line.startsWith('{"type":"Metric"'))
    const filtered = await readText(`${points.join('\n')}\n`)
    expect(filtered.runs.map(({ complete }) => complete)).toEqual([true])
  })
})

describe('rows of Logs Insights', () => {
  const [names = [], ...rows] = rowsOf('lambda-insights-csv/insights.csv', ',')
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

  it('give the same run as CSV and as a Markdown table, in any order of their columns', async () => {
    expect(rows.length).toBeGreaterThan(100)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...names.keys()], { minLength: names.length }), async (order) => {
        const inOrder = (cells: readonly string[]) => order.map((place) => cells[place] ?? '')
        const table = [row(inOrder(names)), row(names.map(() => '---')), ...rows.map((cells) => row(inOrder(cells)))]
        const [own, { runs, problems }] = [
          await readText(`${fixtureText('lambda-insights-csv/insights.csv')}\n`),
          await readText(`# Warm\n\n${table.join('\n')}\n\nSo far.\n`),
        ]
        const withoutForm = (run: ReturnType<typeof figuresOf>) => ({ ...run, form: null })
        expect(runs.map(figuresOf).map(withoutForm)).toEqual(own.runs.map(figuresOf).map(withoutForm))
        expect(problems).toEqual([])
      }),
      { numRuns: caseCount(20) },
    )
  })
})
