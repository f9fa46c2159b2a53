import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorOf, fixtureText, readText } from '../document-text'
import { figuresOf } from './figures'
import { caseCount } from '../../case-count'

/** Locust's tables, which consoles wrap, are joined by width, so a note would become part of a row. */
const forms = readdirSync('tests/fixtures').filter(
  (form) => (form.endsWith('-text') && form !== 'locust-text') || form === 'vegeta-hist',
)
/** Lines that start a report, end in an address, or contain server text: any text may be part of them. */
const isFree =
  /^\s*(?:Count:|Success rate:|Ended after|Bombarding|Running|Document Path:|\[\d+\]\s+\D|\{|"|Get |Post |\d{3} [A-Z])|^\s*(?:script|output|scenarios): |\(2xx only\):|\(4xx \+ 5xx only\):/

interface Report {
  readonly name: string
  readonly lines: readonly string[]
  /** Indices of lines with figures. */
  readonly places: readonly number[]
  readonly figures: readonly unknown[]
}

/** Printed reports that are read completely. */
async function readReports(): Promise<Report[]> {
  const found: Report[] = []
  for (const form of forms)
    for (const name of readdirSync(`tests/fixtures/${form}`)) {
      if (/\.json$|^bad-|json|-prefix|quote/.test(name)) continue
      const text = readFileSync(`tests/fixtures/${form}/${name}`, 'utf8').replace(/\n$/, '')
      if (text.length > 40_000 || /[\r\u001b\0]/.test(text) || (await errorOf(readText(text))) !== null) continue
      const { runs } = await readText(text)
      if (runs.length !== 1 || runs[0]?.complete !== true || runs[0].context.facts.length > 0) continue
      const lines = text.split('\n')
      // Messages follow the error set of vegeta, and the errors of other tools.
      const errors = lines.findIndex((line) => /^\s*Error (?:Set|distribution):/.test(line))
      const places = lines.flatMap((line, at) =>
        /\d/.test(line) && !isFree.test(line) && (errors < 0 || at < errors) ? [at] : [],
      )
      found.push({ name: `${form}/${name}`, lines, places, figures: runs.map(figuresOf) })
    }
  return found
}

const found = await readReports()

describe('a note behind a figure', () => {
  it('does not change the report of any tool', async () => {
    expect(new Set(found.map(({ name }) => name.split('/')[0])).size).toBe(forms.length)
    const notes = fc.constantFrom(
      '  <-- best',
      ' <- was 1,200',
      ' ← 3x',
      '  # p99!',
      '  // 12 % more',
      ' ✅',
      ' => good',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...found),
        notes,
        fc.nat(),
        async ({ name, lines, places, figures }, note, n) => {
          const place = places[n % places.length]
          const text = lines.map((line, at) => (at === place ? `${line}${note}` : line)).join('\n')
          expect([name, (await readText(text)).runs.map(figuresOf)]).toEqual([name, figures])
        },
      ),
      { numRuns: caseCount(600) },
    )
  })
})

describe("vegeta's histogram", () => {
  it.each(['brackets', 'buckets-option', 'v6'])('is the same with its columns squeezed: %s', async (name) => {
    const text = fixtureText(`vegeta-hist/${name}.txt`)
    const own = (await readText(text)).runs.map(figuresOf)
    const squeezed = text.replace(/ +/g, ' ').replace(/ $/gm, '')
    expect((await readText(squeezed)).runs.map(figuresOf)).toEqual(own)
    expect((await readText(squeezed.replace(/, /g, ','))).runs.map(figuresOf)).toEqual(own)
  })
})
