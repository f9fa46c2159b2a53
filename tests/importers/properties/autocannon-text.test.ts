import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixtureText, readText } from '../document-text'
import { figuresOf } from './figures'
import { caseCount } from '../../case-count'

const texts = readdirSync('tests/fixtures/autocannon-text')
  .filter((name) => name.endsWith('.txt') && !name.startsWith('bad-'))
  .map((name) => ({ name, text: fixtureText(`autocannon-text/${name}`) }))

const announce = (index: number, plan: string) =>
  `Running ${plan} test @ http://127.0.0.1:8080/${index}\n10 connections\n`

describe('autocannon', () => {
  it('yields each of several reports in one text, whatever ends the one above', async () => {
    const own = await Promise.all(texts.map(async ({ text }) => (await readText(text)).runs.map(figuresOf)))
    const plans = fc.constantFrom('10s', '100 requests', null)
    const reports = fc.array(fc.record({ which: fc.nat({ max: texts.length - 1 }), plan: plans }), {
      minLength: 2,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(reports, fc.constantFrom('\n', '\n\n', '\n\n\n'), async (chosen, between) => {
        const text = chosen.map(
          ({ which, plan }, index) => `${plan === null ? '' : announce(index, plan)}${texts[which]?.text ?? ''}`,
        )
        const { runs, problems } = await readText(text.join(between))
        expect(problems).toEqual([])
        expect(runs.map(({ url }) => url)).toEqual(
          chosen.map(({ plan }, index) => (plan === null ? null : `http://127.0.0.1:8080/${index}`)),
        )
        const told = (run: ReturnType<typeof figuresOf>) => ({ ...run, url: null, load: null })
        expect(runs.map(figuresOf).map(told)).toEqual(chosen.flatMap(({ which }) => own[which] ?? []).map(told))
      }),
      { numRuns: caseCount(100) },
    )
  })

  it.each([
    '3 errors (3 timeouts)',
    '166k errors (0 timeouts)',
    '2k errors (1k timeouts)',
    '1M errors (166k timeouts)',
  ])('does not appear clean with %s', async (line) => {
    const text = fixtureText('autocannon-text/timeouts.txt').replace(/^.* errors \(.*$/m, line)
    const [run] = (await readText(text)).runs
    expect(run?.complete).toBe(true)
    const [errors = '', timeouts = ''] = line.match(/\d+[kM]?/g) ?? []
    const exact = run?.measures.map(({ name, value }) => `${value} ${name}`) ?? []
    const rounded = run?.errors.map(({ message }) => message) ?? []
    for (const [count, name] of [
      [errors, 'errors'],
      [timeouts, 'timeouts'],
    ])
      if (count !== '0') expect([...exact, ...rounded]).toContain(`${count} ${name}`)
  })
})
