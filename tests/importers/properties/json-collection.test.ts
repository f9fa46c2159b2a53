import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ImportError } from '@/lib/errors'
import { runsOf } from '../../read-fixture'
import { figuresOf } from './figures'
import { caseCount } from '../../case-count'

const forms = [
  'vegeta-json',
  'wrk-lua-json',
  'oha-json',
  'k6-summary',
  'jmeter-statistics',
  'locust-json',
  'autocannon-json',
  'ghz-json',
  'fortio-json',
  'bombardier-json',
]

interface Report {
  readonly name: string
  readonly value: unknown
  readonly figures: readonly unknown[]
}

/** Each report in the fixtures that is one JSON value, and what it yields alone. */
async function readReports(): Promise<Report[]> {
  const reports: Report[] = []
  for (const form of forms)
    for (const name of readdirSync(`tests/fixtures/${form}`).filter((file) => /^[\w-]+(?:\.\d+)*\.json$/.test(file)))
      try {
        const value: unknown = JSON.parse(readFileSync(`tests/fixtures/${form}/${name}`, 'utf8'))
        const runs = await runsOf({ text: JSON.stringify(value) })
        reports.push({ name: `${form}/${name}`, value, figures: runs.map(figuresOf) })
      } catch (error) {
        // Several values, truncated, or refused alone.
        if (!(error instanceof SyntaxError) && !(error instanceof ImportError)) throw error
      }
  return reports
}

const reports = await readReports()

const wraps: readonly ((values: readonly unknown[]) => unknown)[] = [
  (values) => values,
  (values) => [values],
  (values) => Object.fromEntries(values.map((value, at) => [`side ${at}`, value])),
  (values) => ({ host: 'c5.large', meta: { count: values.length }, results: values }),
  (values) => ({
    results: Object.fromEntries(values.map((value, at) => [`"${at}" \\`, { note: 'x', report: value }])),
  }),
]

describe('JSON reports that were combined', () => {
  it('covers each form', () => {
    expect(forms.filter((form) => !reports.some(({ name }) => name.startsWith(form)))).toEqual([])
  })

  it('are the runs that each yields alone, in any nesting and layout', async () => {
    const chosen = fc.array(fc.constantFrom(...reports), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(chosen, fc.constantFrom(...wraps), fc.constantFrom(0, 2, '\t'), async (some, wrap, indent) => {
        // autocannon itself writes a list: a warm-up and the run that contains it.
        fc.pre(!some.some(({ name }) => name === 'autocannon-json/warm-up.json'))
        const text = `${JSON.stringify(wrap(some.map(({ value }) => value)), null, indent)}\n`
        const runs = await runsOf({ text })
        expect(runs.map(figuresOf)).toEqual(some.flatMap(({ figures }) => figures))
      }),
      { numRuns: caseCount(60) },
    )
  })
})
