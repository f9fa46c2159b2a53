import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contradictionsIn } from '../../fuzz/invariants'
import { fixtureText, readText } from '../document-text'
import { caseCount } from '../../case-count'

/** Numbers in a text, and the text with one of them replaced. */
function replaceNumber(text: string, pattern: RegExp, instead: string, at: number): string {
  const found = [...text.matchAll(pattern)]
  const one = found[at % found.length]
  if (one === undefined) throw new Error('no such number')
  const start = one.index + one[0].lastIndexOf(one[1] ?? '')
  return `${text.slice(0, start)}${instead}${text.slice(start + (one[1] ?? '').length)}`
}

const numbers = fc.oneof(
  fc.constantFrom('1e-320', '0.5', '1e308', '99999999999999999999', '0'),
  fc.nat({ max: 999_999_999 }).map(String),
)

describe('a figure that contradicts another', () => {
  it("in wrk2's spectrum: no bucket counts what is not a number", async () => {
    const text = fixtureText('wrk-text/wrk2-uncorrected.txt')
    const count = /^ +\d+\.\d{3} +[01]\.\d{6} +(\d+) +\S+$/gm
    await fc.assert(
      fc.asyncProperty(
        numbers.filter((one) => /^\d+$/.test(one)),
        fc.nat(),
        async (instead, at) => {
          expect(contradictionsIn(await readText(replaceNumber(text, count, instead, at)))).toEqual([])
        },
      ),
      { numRuns: caseCount(150) },
    )
  })

  it("in ghz's JSON: a call without whole nanoseconds is reported, not counted", async () => {
    const text = fixtureText('ghz-json/nothing-listens.json')
    await fc.assert(
      fc.asyncProperty(numbers, fc.nat(), async (instead, at) => {
        const file = await readText(replaceNumber(text, /"timestamp":"[^"]+","latency":(\d+)/g, instead, at))
        expect(contradictionsIn(file)).toEqual([])
        const isWhole = Number.isInteger(Number(instead)) && Number(instead) < 2 ** 51
        expect(file.problems.filter(({ message }) => message.includes('“latency”'))).toHaveLength(isWhole ? 0 : 1)
      }),
      { numRuns: caseCount(100) },
    )
  })

  it.each([
    ['oha', 'oha-json/breakdown.json', /"(\d+\.\d{6,})":\s?\d/g],
    ['Fortio', 'fortio-json/nothing-listens.json', /"(?:Start|End)":\s?([\d.e-]+)/g],
  ])("in %s's JSON: no bucket starts below 0", async (_, file, bound) => {
    const text = fixtureText(file)
    const bounds = fc.oneof(numbers, fc.constantFrom('-1', '-0.002'))
    await fc.assert(
      fc.asyncProperty(bounds, fc.nat(), async (instead, at) => {
        expect(contradictionsIn(await readText(replaceNumber(text, bound, instead, at)))).toEqual([])
      }),
      { numRuns: caseCount(150) },
    )
  })

  it("in oha's JSON: no part of a request ends before it starts, which is reported", async () => {
    const text = fixtureText('oha-json/breakdown.json')
    const part = /"(?:average|fastest|slowest)":\s?([\d.e-]+)/g
    const all = [...text.slice(text.indexOf('"details"')).matchAll(part)].length
    expect(all).toBeGreaterThan(3)
    for (let at = 0; at < all; at += 1) {
      const spoilt =
        text.slice(0, text.indexOf('"details"')) + replaceNumber(text.slice(text.indexOf('"details"')), part, '-1', at)
      const file = await readText(spoilt)
      expect(contradictionsIn(file)).toEqual([])
      expect(file.runs[0]?.warnings.map(({ code }) => code)).toContain('impossible-figure')
    }
  })

  it("in k6's CSV: a row that ends early, or has no method, crashes nothing and affects no other address", async () => {
    const [heading = '', ...rows] = fixtureText('k6-csv/one-request.csv').trim().split('\n')
    const duration = rows.find((row) => row.startsWith('http_req_duration')) ?? expect.fail('a request')
    const cells = duration.split(',')
    for (let count = 3; count <= cells.length; count += 1) {
      const short = cells.slice(0, count).join(',')
      const { runs } = await readText([heading, duration, short, duration, ''].join('\n'))
      expect([count, runs[0]?.latencies[0]?.count]).toEqual([count, 3])
      expect(runs[0]?.targets?.[0]).toMatchObject({ method: cells[8], url: cells[9] })
    }
    const nameless = cells.with(8, '').join(',')
    const { runs } = await readText([heading, duration, nameless, duration, ''].join('\n'))
    expect(runs[0]?.targets?.map(({ count }) => count)).toEqual([2, 1])
    expect(runs[0]?.targets?.[1]?.url).toBe(cells[9])
  })

  it("in k6's text: more failures than requests do not give negative successes", async () => {
    const text = fixtureText('k6-text/stopped.txt')
    const [run] = (await readText(text.replace(' 0 out of ', ' 150 out of '))).runs
    expect([run?.successes, run?.successRatio]).toEqual([null, null])
    expect(run?.warnings.map(({ code }) => code)).toContain('inconsistent-counts')
  })

  it('in a run on an exported page: its timeline is omitted, which is reported', async () => {
    const text = fixtureText('tailboard-run/gob-v8.txt')
    expect(text).toMatch(/"requests":\[37,80,80,43\]/)
    const [run] = (await readText(text.replace('[37,80,80,43]', '[37,80,6,43]'))).runs
    expect(run?.timeline).toBeNull()
    expect(run?.warnings.find(({ code }) => code === 'damaged-timeline')?.message).toBe(
      'The timeline counts 166 requests, but the latencies are of 240; it is omitted.',
    )
  })
})
