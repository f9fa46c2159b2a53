import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readText } from '../document-text'
import { figuresOf } from './figures'

const textsOf = (form: string) =>
  readdirSync(`tests/fixtures/${form}`)
    .filter((name) => name.endsWith('.txt') && !name.startsWith('cut'))
    .map((name) => ({ name, text: readFileSync(`tests/fixtures/${form}/${name}`, 'utf8') }))

/** The only run in a text, without what only its head says. */
async function figuresWithoutHead(text: string) {
  const { runs, problems } = await readText(text)
  expect(runs).toHaveLength(1)
  const [run] = runs
  return (
    run && { ...figuresOf(run), toolVersion: null, url: null, severities: problems.map(({ severity }) => severity) }
  )
}

describe('excerpts that people copy, and output of old versions', () => {
  it.each(textsOf('ab-text').filter(({ text }) => text.includes('\nConcurrency Level:')))(
    'ab from its figures on gives the same run, except for its address: $name',
    async ({ text }) => {
      const excerpt = text.slice(text.indexOf('Concurrency Level:'))
      expect(await figuresWithoutHead(excerpt)).toEqual(await figuresWithoutHead(text))
    },
  )

  it('two excerpts of ab without times are two runs', async () => {
    const excerpt = (requests: number) =>
      `Concurrency Level:      4\nTime taken for tests:   1.000 seconds\nComplete requests:      ${requests}\nFailed requests:        0\n`
    const { runs } = await readText(`${excerpt(10)}\n${excerpt(20)}`)
    expect(runs.map(({ requests, complete }) => ({ requests, complete }))).toEqual([
      { requests: 10, complete: false },
      { requests: 20, complete: false },
    ])
  })

  it.each(textsOf('oha-text').filter(({ text }) => text.includes('Response time distribution:\n')))(
    'oha with the headings and percentiles of 0.x gives the same run: $name',
    async ({ text }) => {
      const today = text.replace(/^ *99\.9\d?% in .*\n/gm, '')
      const early = today
        .replace('Response time distribution:', 'Latency distribution:')
        .replace(/^( *\d+)\.00% in /gm, '$1% in ')
      expect(early).not.toBe(today)
      expect(await figuresWithoutHead(early)).toEqual(await figuresWithoutHead(today))
    },
  )

  it.each(textsOf('h2load-text').filter(({ text }) => /^traffic: \S+ \(/m.test(text)))(
    'h2load with its traffic in bytes only gives the same run: $name',
    async ({ text }) => {
      const early = text.replace(
        /^traffic: \S+ \((\d+)\) total, \S+ \((\d+)\) headers(.*), \S+ \((\d+)\) data/gm,
        'traffic: $1 bytes total, $2 bytes headers$3, $4 bytes data',
      )
      expect(early).not.toBe(text)
      expect(await figuresWithoutHead(early)).toEqual(await figuresWithoutHead(text))
    },
  )
})
