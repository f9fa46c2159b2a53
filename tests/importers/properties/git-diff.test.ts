import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorOf, readText, reports } from '../document-text'
import { figuresOf } from './figures'
import { caseCount } from '../../case-count'

const forms = readdirSync('tests/fixtures').filter((form) => /-text$|^vegeta-json$|^lambda-report$/.test(form))

interface Report {
  readonly name: string
  readonly lines: readonly string[]
  readonly figures: readonly unknown[]
}

/** Each fixture that is ASCII text, and what it yields. */
async function readReports(): Promise<Report[]> {
  const found: Report[] = []
  for (const form of forms)
    for (const name of readdirSync(`tests/fixtures/${form}`).filter(
      (file) => !file.endsWith('.json') || form === 'vegeta-json',
    )) {
      const text = readFileSync(`tests/fixtures/${form}/${name}`, 'utf8').replace(/\n$/, '')
      // A script's list repeats the run above it within a few lines, and removed lines would separate them.
      if (text.length > 30_000 || text.includes('JSON Output') || /[^\n\t -~]|^diff --|^\+\+\+ |^@@ /m.test(text))
        continue
      if ((await errorOf(readText(text))) !== null) continue
      const { runs } = await readText(text)
      if (runs.some(({ complete, context: { facts } }) => !complete || facts.length > 0)) continue
      found.push({ name: `${form}/${name}`, lines: text.split('\n'), figures: runs.map(figuresOf) })
    }
  return found
}

const found = await readReports()

/**
 * A diff that creates these lines from nothing, or from the lines that `choice` changes. `context`: lines are quoted
 * whole.
 */
function diffOf(lines: readonly string[], isChanged: (line: number) => boolean): string {
  const old = lines.map((line, at) => (isChanged(at) ? line.replace(/\d/g, (digit) => `${9 - Number(digit)}`) : line))
  const body = lines.flatMap((line, at) => (isChanged(at) ? [`-${old[at] ?? ''}`, `+${line}`] : [` ${line}`]))
  const head = ['diff --git a/out.txt b/out.txt', 'index 83db48f..bf2a3e1 100644', '--- a/out.txt', '+++ b/out.txt']
  return [...head, `@@ -1,${lines.length} +1,${lines.length} @@`, ...body, ''].join('\n')
}

describe('a diff', () => {
  it('yields what the new document yields, whichever lines it changes', async () => {
    expect(found.length).toBeGreaterThan(60)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...found),
        fc.infiniteStream(fc.boolean()),
        async ({ lines, figures }, choices) => {
          const changed = lines.map(() => choices.next().value)
          const file = await readText(diffOf(lines, (at) => changed[at] === true))
          expect(file.runs.map(figuresOf)).toEqual(figures)
          const count = changed.filter(Boolean).length
          const said = file.problems.filter(({ message }) => message.startsWith('this is a diff'))
          expect(said.map(({ severity }) => severity)).toEqual(count === 0 ? [] : ['warning'])
        },
      ),
      { numRuns: caseCount(400) },
    )
  })

  it('names runs after the file in +++', async () => {
    const added = (name: string, text: string) => {
      const lines = text.split('\n')
      return `diff --git a/${name} b/${name}\nnew file mode 100644\nindex 0000000..bf2a3e1\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`
    }
    const { runs, problems } = await readText(
      `commit 9b1c\n\n${added('results/gzip.txt', reports.hey)}${added('results/zlib.txt', reports.wrk)}`,
    )
    expect(runs.map(({ tool, proposal }) => [tool, proposal.variant ?? proposal.scenario])).toEqual([
      ['hey', 'results/gzip.txt'],
      ['wrk', 'results/zlib.txt'],
    ])
    expect(problems).toEqual([])
  })

  it('separates two hunks: the lines between them are missing', async () => {
    const lines = reports.hey.split('\n').filter((line) => line.trim() !== '')
    const [head, tail] = [lines.slice(0, 6), lines.slice(12)]
    const hunks = [head, tail].map((part, at) => `@@ -${at * 50 + 1},${part.length} +${at * 50 + 1},${part.length} @@`)
    const text = `--- a/x.txt\n+++ b/x.txt\n${hunks[0]}\n ${head.join('\n ')}\n${hunks[1]}\n ${tail.join('\n ')}\n`
    const { runs } = await readText(text)
    expect(runs.map(({ complete, statusCodes }) => [complete, statusCodes])).toEqual([[false, {}]])
  })

  it('with removed lines only contains nothing', async () => {
    const lines = reports.wrk.split('\n')
    const text = `--- a/x.txt\n+++ /dev/null\n@@ -1,${lines.length} +0,0 @@\n${lines.map((line) => `-${line}\n`).join('')}`
    expect(await errorOf(readText(text))).toMatchObject({ code: 'unknown-format' })
  })
})
