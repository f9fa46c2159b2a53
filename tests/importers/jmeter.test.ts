import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ImportError } from '@/lib/errors'
import { runsOf } from '../read-fixture'
import { caseCount } from '../case-count'

const [heading = '', ...rows] = readFileSync('tests/fixtures/jmeter-csv/bad-interleaved.jtl', 'utf8')
  .trimEnd()
  .split('\n')
const threadOf = (row: string) => row.split(',')[5]
const threads = [...new Set(rows.map(threadOf))].map((thread) => rows.filter((row) => threadOf(row) === thread))

/** Rows of each thread in their order, interleaved in the order given by `turns`. */
function interleave(turns: readonly number[]): string[] {
  const left = threads.map((thread) => [...thread])
  const mixed: string[] = []
  for (let at = 0; left.some(({ length }) => length > 0); at++) {
    const waiting = left.filter(({ length }) => length > 0)
    mixed.push(waiting[(turns[at % turns.length] ?? 0) % waiting.length]?.shift() ?? '')
  }
  return mixed
}

function toXml(row: string): string {
  const [ts, t, label, code, message, thread, , success] = row.split(',')
  return `<httpSample t="${t}" ts="${ts}" s="${success}" lb="${label}" rc="${code}" rm="${message}" tn="${thread}"/>`
}

const turns = fc.array(fc.nat(11), { minLength: 1, maxLength: 100 })

async function countsOf(text: string) {
  const [run] = await runsOf({ text })
  const targets = run?.targets?.map(({ url, count, p99Ms }) => `${url} ${count} ${p99Ms}`).sort()
  return { requests: run?.requests, successes: run?.successes, targets, quantiles: run?.latencies[0]?.quantiles }
}

it("JMeter's CSV gives the same run however the rows of its threads interleave", async () => {
  const expected = await countsOf(`${heading}\n${threads.flat().join('\n')}\n`)
  expect(expected).toMatchObject({ requests: 48, successes: 47 })
  await fc.assert(
    fc.asyncProperty(turns, async (order) => {
      expect(await countsOf(`${heading}\n${interleave(order).join('\n')}\n`)).toEqual(expected)
    }),
    { numRuns: caseCount(50) },
  )
})

it.each([
  ['labels', 1_000, 4],
  ['labels than are kept', 9_000, 4],
  ['threads than are kept', 1_000, 9_000],
])('identifies hops among other %s', async (_, labels, users) => {
  const request = (at: number, suffix: string) =>
    `${1_795_311_094_591 + at * 10},9,moved ${at % labels}${suffix},200,OK,walkers 1-${at % users},text,true,,440,247,4,4,http://127.0.0.1:18201/moved,9,0,0`
  const requests = Array.from({ length: 9_000 }, (__, at) => at)
  // Three other requests are between each one and its hops.
  const written = requests.flatMap((at) => [request(at, ''), ...(at < 3 ? [] : [request(at - 3, '-0')])])
  const [run] = await runsOf({ text: `${heading}\n${written.join('\n')}\n` })
  expect(run).toMatchObject({ requests: 9_000, measures: expect.arrayContaining([{ ...hops, value: 8_997 }]) })
})

const hops = { name: 'hops', unit: null, line: null }

it("JMeter's XML without nested hops gives the same run however its threads interleave", async () => {
  const write = (order: readonly string[]) =>
    `<testResults version="1.2">\n${order.map(toXml).join('\n')}\n</testResults>\n`
  const expected = await countsOf(write(threads.flat()))
  expect(expected).toMatchObject({ requests: 48, successes: 47 })
  await fc.assert(
    fc.asyncProperty(turns, async (order) => {
      expect(await countsOf(write(interleave(order)))).toEqual(expected)
    }),
    { numRuns: caseCount(50) },
  )
})

it('the case of `success` does not matter', async () => {
  const letters = fc.array(fc.boolean(), { minLength: 5, maxLength: 5 })
  const expected = await countsOf(`${heading}\n${rows.join('\n')}\n`)
  await fc.assert(
    fc.asyncProperty(letters, async (isUpper) => {
      const recase = (word: string) =>
        [...word].map((letter, at) => (isUpper[at] ? letter.toUpperCase() : letter)).join('')
      const text = rows.map((row) => row.replace(/,(true|false),/, (word) => recase(word))).join('\n')
      expect(await countsOf(`${heading}\n${text}\n`)).toEqual(expected)
    }),
    { numRuns: caseCount(32) },
  )
})

const resultsOf = (label: string) => `<testResults version="1.2">
<httpSample t="3" lt="2" ct="1" ts="1795311080661" s="true" lb="${label}" rc="200" rm="OK" by="1" sby="2" na="1"/>
</testResults>
`

it('resolves only the five entities of XML', async () => {
  const [run] = await runsOf({ text: `<?xml version="1.0" encoding="UTF-8"?>\n${resultsOf('&file; &amp; &e9;')}` })
  expect(run?.targets?.map(({ url }) => url)).toEqual(['&file; & &e9;'])
})

it('refuses documents that define entities', async () => {
  const bomb = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')
  const doctype = `<!DOCTYPE testResults [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY e0 "ha">${bomb}]>`
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}\n${resultsOf('&file; &e9;')}`
  await expect(runsOf({ text })).rejects.toThrow(ImportError)
})
