import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ImportError } from '@/lib/errors'
import { errorOf, fixtureText, readText } from '../document-text'
import { figuresOf } from './figures'
import { caseCount } from '../../case-count'

/** JSON forms, and how a refusal names them. */
const jsonForms: Readonly<Record<string, string>> = {
  'vegeta-json': 'vegeta',
  'oha-json': 'oha',
  'k6-summary': 'k6',
  'jmeter-statistics': 'JMeter',
  'locust-json': 'Locust',
  'autocannon-json': 'autocannon',
  'ghz-json': 'ghz',
  'fortio-json': 'Fortio',
  'bombardier-json': 'bombardier',
}

const documents = Object.entries(jsonForms).flatMap(([form, tool]) =>
  readdirSync(`tests/fixtures/${form}`)
    .filter((name) => name.endsWith('.json') && !/(?:expected|truth)\.json$|^(?:bad|cut)/.test(name))
    .map((name) => ({ tool, name, text: readFileSync(`tests/fixtures/${form}/${name}`, 'utf8') }))
    .filter(({ text }) => text.length < 60_000),
)

/** What other programs write in place of a number. */
const spoilt: readonly ((figure: string) => string)[] = [
  () => 'NaN',
  () => '-Infinity',
  () => '1e400',
  (figure) => `"${figure}"`,
  (figure) => `-${figure}`,
  (figure) => figure.replace('.', ','),
]

describe('recognised output that cannot be read', () => {
  it('is refused by the name of its tool, with the line, whichever number in its JSON is damaged', async () => {
    expect(documents.length).toBeGreaterThan(25)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...documents),
        fc.nat(),
        fc.constantFrom(...spoilt),
        async ({ tool, text }, choice, spoil) => {
          const figures = [...text.matchAll(/(?<=": ?)\d+(?:\.\d+)?(?=[,\s}\]])/g)]
          const figure = figures[choice % figures.length]
          if (figure === undefined) return
          const own = text.slice(0, figure.index) + spoil(figure[0]) + text.slice(figure.index + figure[0].length)
          const error = await errorOf(readText(own))
          if (error === null) return
          expect(error).toBeInstanceOf(ImportError)
          expect(error).toMatchObject({ message: expect.stringContaining(tool), line: expect.any(Number) })
        },
      ),
      { numRuns: caseCount(300) },
    )
  })

  it.each([
    ['"50th":NaN', "this is vegeta's JSON, but “latencies.50th” is NaN"],
    ['"50th":1e400', "this is vegeta's JSON, but “latencies.50th” is 1e400, which is too large for a number"],
    ['"50th":"4ms"', "this is vegeta's JSON, but “latencies.50th” is a text"],
    ['"50th":4,1', "this is vegeta's JSON, but “latencies.50th” has a comma in its number"],
  ])('names the figure: %s', async (member, message) => {
    const text = fixtureText('vegeta-json/attack-01-12.13.0.json').replace(/"50th":\d+/, member)
    expect(await errorOf(readText(text))).toMatchObject({ code: 'malformed', message, line: 1 })
    const { problems } = await readText(`# Two\n\n${fixtureText('hey-text/tabs-as-spaces.txt')}\n\n${text}\n`)
    expect(problems).toContainEqual(expect.objectContaining({ severity: 'error', message }))
  })

  it('reports that the brackets of a report do not match', async () => {
    const text = fixtureText('vegeta-json/attack-01-12.13.0.json').replace('"50th":', '"50":')
    expect(await errorOf(readText(`${text}}\n`))).toMatchObject({
      code: 'malformed',
      message: "this is vegeta's JSON, but its brackets do not match",
      line: 1,
    })
  })

  it.each([
    ['NaN', '“latency” is NaN'],
    ['1e400', '“latency” is 1e400, which is too large for a number'],
    ['"5"', '“latency” is "5", a text'],
    ['-5', 'every “latency” is negative'],
  ])("includes vegeta's results: a latency of %s", async (latency, reason) => {
    const row = `{"attack":"","seq":0,"code":200,"timestamp":"2026-11-21T02:14:08.1Z","latency":${latency},"bytes_out":0,"bytes_in":0}`
    const message = `this is vegeta's JSON, but ${reason}`
    expect(await errorOf(readText(`${row}\n`))).toMatchObject({ code: 'malformed', message, line: 1 })
  })

  it("includes vegeta's CSV with its columns in another order, which a mapping may read", async () => {
    const rows = fixtureText('vegeta-csv/three-targets-by-latency.csv').split('\n')
    expect(rows.length).toBeGreaterThan(50)
    const swapped = rows.map((row) => row.replace(/^(\d+),(\d+),/, '$2,$1,')).join('\n')
    expect(await errorOf(readText(swapped))).toMatchObject({
      message: "this is vegeta's CSV, but its columns are not in vegeta's order",
      hint: expect.stringContaining('map them'),
    })
  })

  it("includes HdrHistogram's table; decimal commas, as Java writes them, are read", async () => {
    const text = fixtureText('hdr-percentiles/unscaled.hgrm')
    const comma = text.replaceAll(/(\d)\.(?=\d)/g, '$1,')
    const [own, read] = [await readText(text), await readText(comma)].map(({ runs }) => runs.map(figuresOf))
    expect(read).toEqual(own)
    expect(await errorOf(readText(text.replaceAll(/(\d) +(?=\d)/g, '$1;')))).toMatchObject({
      message: "this is HdrHistogram's percentile table, but its first row cannot be read",
      line: 3,
    })
  })

  it("includes Locust's tables that end before their row for all requests", async () => {
    const lines = fixtureText('locust-text/failures.txt').split('\n')
    const head = lines.findLastIndex((line) => /^Type\s+Name.*# fails/.test(line))
    const total = lines.findIndex((line, at) => at > head && /^\s*Aggregated\s/.test(line))
    expect(total).toBeGreaterThan(head + 1)
    for (let count = head + 1; count < total; count++)
      expect(await errorOf(readText(lines.slice(0, count).join('\n')))).toMatchObject({
        code: 'truncated',
        message: "this is Locust's text, but it ends before its row of all requests",
        line: count,
      })
  })
})
