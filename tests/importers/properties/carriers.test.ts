import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorOf, fixtureText, readText, reports } from '../document-text'
import { figuresOf } from './figures'
import { caseCount } from '../../case-count'

const textForms = readdirSync('tests/fixtures').filter((form) => form.endsWith('-text'))

/** Printed reports that are read completely, and their results. */
async function readReports() {
  const found: { readonly name: string; readonly lines: readonly string[]; readonly figures: readonly unknown[] }[] = []
  for (const form of textForms)
    for (const name of readdirSync(`tests/fixtures/${form}`)) {
      if (/\.json$|^bad-/.test(name)) continue
      const text = readFileSync(`tests/fixtures/${form}/${name}`, 'utf8')
      if (text.length > 40_000 || /[\r\u001b\0]/.test(text) || (await errorOf(readText(text))) !== null) continue
      const { runs } = await readText(text)
      if (runs.length !== 1 || runs[0]?.complete !== true || runs[0].context.facts.length > 0) continue
      found.push({ name: `${form}/${name}`, lines: text.replace(/\n$/, '').split('\n'), figures: runs.map(figuresOf) })
    }
  return found
}

const found = await readReports()

describe('a report of any tool', () => {
  it.each([
    ['docker compose', 'bench-1  | '],
    ['docker compose and its time', '2026-11-26T11:20:01.123456789Z bench-1  | '],
    ['kubectl logs --prefix', '[pod/bench-7d9f/bench] '],
    ['ts', '11:20:01 '],
    ['a mail', '> '],
  ])('is the same with the prefixes that %s writes on each line', async (_, prefix) => {
    expect(new Set(found.map(({ name }) => name.split('/')[0])).size).toBe(textForms.length)
    for (const { name, lines, figures } of found) {
      const { runs } = await readText(lines.map((line) => `${prefix}${line}\n`).join(''))
      expect([name, runs.map(figuresOf)]).toEqual([name, figures])
    }
  })
})

/** Their first lines could be anyone's prose, so no prefix is removed from them. */
const withoutFigureAtFirst = /^(?:h2load|k6|oha)-text/

describe('a report that a script quotes in its comments', () => {
  it.each(['# ', '// ', '#'])(
    'is the same after %j, except for tools whose first lines contain no figure',
    async (mark) => {
      for (const { name, lines, figures } of found.filter((report) => !withoutFigureAtFirst.test(report.name))) {
        const { runs } = await readText(lines.map((line) => `${mark}${line}\n`).join(''))
        expect([name, runs.map(figuresOf)]).toEqual([name, figures])
      }
    },
  )

  it('leaves headings unchanged', async () => {
    const { runs } = await readText(
      `# Summary:\n## Requests\n\n${reports.wrk}\n\n# Total: of both\n\n${reports.vegeta}\n`,
    )
    expect(runs.map(({ tool, context }) => [tool, context.headings])).toEqual([
      ['wrk', ['Summary:', 'Requests']],
      ['vegeta', ['Total: of both']],
    ])
  })
})

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one] ?? '&quot;')

describe("a report of any tool in a page's source", () => {
  it.each<readonly [name: string, write: (lines: readonly string[]) => string]>([
    ['in <pre>', (lines) => `<h2>A run</h2>\n<pre>${lines.join('\n')}</pre>\n`],
    ['in <pre><code>', (lines) => `<pre class="a"><code>\n${lines.join('\n')}\n</code></pre>\n`],
    ['with <br> behind each line', (lines) => `<pre>${lines.join('<br>\n')}</pre>\n`],
    ['with <br /> behind each line, in the open', (lines) => `${lines.map((line) => `${line}<br />\n`).join('')}`],
    ['as one line', (lines) => `<div><pre>${lines.join('<br/>')}</pre></div>\n`],
  ])('is the same %s', async (_, write) => {
    for (const { name, lines, figures } of found) {
      const { runs } = await readText(write(lines.map(escapeHtml)))
      expect([name, runs.map(figuresOf)]).toEqual([name, figures])
    }
  })

  it('has the headings above it', async () => {
    const pages = [
      `<h1>Servers</h1>\n<h2 id="a">GET <em>/ping</em> &amp; more</h2>\n<pre>\n${reports.wrk}\n</pre>\n`,
      `# Servers\n## GET /ping & more\n\n${reports.wrk}\n`,
    ]
    const [html, markdown] = await Promise.all(pages.map(async (page) => (await readText(page)).runs[0]?.proposal))
    expect(html?.variant).toBe('GET /ping & more')
    expect([html?.scenario, html?.variant, html?.labels]).toEqual([
      markdown?.scenario,
      markdown?.variant,
      markdown?.labels,
    ])
  })
})

describe('an address', () => {
  const wrk = fixtureText('wrk-text/latency.txt')
  const targetOf = async (text: string) => (await readText(text)).runs.map((run) => [run.url, run.complete])

  it('is read after the dots and dashes that scripts print before it', async () => {
    const own = await targetOf(wrk)
    for (const mark of ['.', '...', '-', '--'])
      expect([mark, await targetOf(wrk.replace('Running', `${mark}Running`))]).toEqual([mark, own])
  })

  it('is read from a mail, where each = is =3D; a lone one may be part of the query', async () => {
    const withUrl = (url: string) => wrk.replace(/(test @ )\S+/, `$1${url}`)
    expect(await targetOf(withUrl('http://127.0.0.1/?a=3D1&b=3D2'))).toEqual([['http://127.0.0.1/?a=1&b=2', true]])
    expect(await targetOf(withUrl('http://127.0.0.1/?view=3D'))).toEqual([['http://127.0.0.1/?view=3D', true]])
    expect(await targetOf(withUrl('http://127.0.0.1/?view=3D&b=2'))).toEqual([['http://127.0.0.1/?view=3D&b=2', true]])
  })
})

/** A console with this many columns. `words`: it wraps between words; `trimmed`: trailing blanks are lost. */
function wrap(text: string, width: number, words: boolean, trimmed: boolean): string {
  const lines = text.split('\n').flatMap((line) => {
    const pieces: string[] = []
    let rest = line
    while (rest.length > width) {
      const space = words ? rest.lastIndexOf(' ', width - 1) : -1
      const at = space > 0 ? space + 1 : width
      pieces.push(rest.slice(0, at))
      rest = rest.slice(at)
    }
    return [...pieces, rest]
  })
  return lines.map((line) => (trimmed ? line.trimEnd() : line)).join('\n')
}

describe("Locust's tables", () => {
  const texts = ['failures', 'version-2-15'].map((name) => fixtureText(`locust-text/${name}.txt`))

  it('are the same in a console of any width', async () => {
    const own = await Promise.all(texts.map(async (text) => (await readText(text)).runs.map(figuresOf)))
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: texts.length - 1 }),
        fc.integer({ min: 40, max: 180 }),
        fc.boolean(),
        fc.boolean(),
        async (which, width, words, trimmed) => {
          const { runs } = await readText(wrap(texts[which] ?? '', width, words, trimmed))
          const errorTexts = (run: ReturnType<typeof figuresOf>) => ({
            ...run,
            // The line that shows this may be wrapped too.
            toolVersion: null,
            // Blanks at the end of a line may have been part of a message.
            errors: run.errors.map(({ message, count }) => ({ message: message.replace(/ /g, ''), count })),
          })
          expect(runs.map(figuresOf).map(errorTexts)).toEqual(own[which]?.map(errorTexts))
        },
      ),
      { numRuns: caseCount(300) },
    )
  })

  it('are refused by name if they cannot be reassembled', async () => {
    const lines = fixtureText('locust-text/cut.txt').split('\n')
    const spoilt = lines.map((line) => line.replace(/(Aggregated +\d+)/, '$1\n')).join('\n')
    expect(await errorOf(readText(spoilt))).toMatchObject({
      code: 'malformed',
      message: "this is Locust's text, but its row of all requests cannot be put together",
      line: expect.any(Number),
    })
  })
})
