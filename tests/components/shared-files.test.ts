import { expect, it } from 'vitest'
import { z } from 'zod'
import { comparisonMarkdown } from '@/app/s/comparison-markdown'
import { costRows, sideKey } from '@/components/compare/cost-rows'
import { readFileSync } from 'node:fs'
import { drawFile, toSvg } from '@/components/charts/plot/file'
import { readThemes, resolve } from '@/lib/theme'
import { comparisonCsv, comparisonJson, plotOf, wordTable } from '@/components/shared/comparison-files'
import { comparisonPage } from '@/components/shared/comparison-page'
import { judgementText, judgementWords } from '@/components/compare/delta-words'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { viewOf } from '@/components/compare/compare-view-state'
import { importFile } from '@/importers/index'
import type { StoredRun } from '@/lib/history/stored-runs'
import { storedDocument } from '../stored-runs'

const themes = readThemes(readFileSync('app/tokens.css', 'utf8'))

/** Runs without their raw file, so that their pages contain figures. */
async function pair(): Promise<readonly StoredRun[]> {
  const { runs } = await storedDocument('lambda-dispatcher-vs-direct')
  return runs.slice(0, 2).map((run, at) => ({
    ...run,
    id: `run-${at}-abcdef`,
    upload: { ...run.upload, rawRemovedAt: run.uploadedAt },
  }))
}

const prepare = (runs: readonly StoredRun[], view: string) => {
  const prepared = prepareComparison(
    runs.map((run) => [run]),
    viewOf(view),
    () => null,
  )
  if (!prepared) throw new Error('nothing to compare')
  return prepared
}

it('every file of a comparison carries the limit and the cost of its view', async () => {
  const runs = await pair()
  const inputs = runs.map(
    (run, at) => `cost.${sideKey(run)}.instances=${at === 0 ? 20 : 100}&cost.${sideKey(run)}.price=0.5`,
  )
  const viewed = prepare(runs, ['slo=80', 'cost.rate=1000', ...inputs].join('&'))
  const cost = costRows(runs, viewed.view.cost)
  expect(cost.map(({ label }) => label)).toContain('Instances, per hour')
  const color = resolve(themes.light)
  const plot = plotOf(viewed) ?? expect.fail('no plot')
  const svg = toSvg(drawFile(plot, { width: 960, height: 420 }, color), 'x', color)
  const html = comparisonPage({ prepared: viewed, name: 'x', notes: '', raw: [], themes })
  const page = await comparisonMarkdown(viewed, { name: 'x', notes: '', takeaways: '' })
  const markdown = page.replaceAll(/[\u00a0\u202f]/g, ' ')
  for (const text of [svg, html]) expect(text).toContain('>SLO 80')
  for (const text of [html, markdown]) expect(text).toMatch(/The limit \\?\(SLO\\?\) is 80\sms/)
  for (const { label, cells } of cost) {
    expect(html).toContain(`<th scope="row">${label}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}`)
    expect(markdown).toContain(`| ${[label, ...cells].join(' | ')} |`.replaceAll(/[\u00a0\u202f]/g, ' '))
  }
  expect(JSON.parse(comparisonJson(viewed))).toMatchObject({ sloMs: 80, cost: { rows: cost } })
  const read = await importFile(
    (async function* () {
      yield Buffer.from(markdown)
    })(),
  )
  expect(read.runs).toHaveLength(2)
})

it('a view without them leaves no trace of them', async () => {
  const { runs } = await storedDocument('smithy-wrk')
  const prepared = prepare(runs, '')
  expect(comparisonPage({ prepared, name: 'x', notes: '', raw: [], themes })).not.toMatch(/SLO|<h2>Cost/)
  expect(JSON.parse(comparisonJson(prepared))).toMatchObject({ sloMs: null, cost: null })
})

it('files use the colours of the tokens, separate pages both themes', async () => {
  const viewed = prepare(await pair(), '')
  for (const { light, dark } of [themes]) {
    expect(Object.keys(light)).toEqual(Object.keys(dark))
    const svg = toSvg(
      drawFile(plotOf(viewed) ?? expect.fail('no plot'), { width: 960, height: 420 }, resolve(dark)),
      'x',
      resolve(dark),
    )
    for (const name of ['--series-1', '--series-2', '--bg', '--text']) expect(svg).toContain(`"${dark[name]}"`)
    expect(svg).not.toMatch(/var\(|NaN|Infinity|undefined|class=/)
    const html = comparisonPage({ prepared: viewed, name: 'x', notes: '', raw: [], themes })
    for (const theme of [light, dark]) expect(html).toContain(`--series-1:${theme['--series-1']}`)
  }
  expect(readThemes(':root {\n  --a: light-dark(#fff, #000);\n  --b: 6px;\n}')).toMatchObject({
    light: { '--a': '#fff' },
    dark: { '--a': '#000' },
  })
})

it('every file has the verdict of the page, in the same word', async () => {
  const { runs } = await storedDocument('zlib-gzip')
  const prepared = prepare(runs, '')
  const { rows } = prepared.comparison
  const of = (say: typeof judgementText) =>
    rows.flatMap(({ metric, deltas }) => deltas.map((delta) => say(delta, metric)))
  const said = of((delta, metric) => judgementWords(delta, metric).word)
  expect(new Set(said)).toEqual(new Set(['no verdict', 'equal', 'n = 1', 'may be noise']))
  const words = wordTable(prepared).rows.flatMap((cells) => cells.filter((_, at) => at > 1 && (at - 1) % 3 === 0))
  expect(words).toEqual(of(judgementText))
  const csv = comparisonCsv(prepared)
    .split('\n')
    .flatMap((line) => /,candidate,(?:[^,]*,){4}([^,]*),/.exec(line)?.[1] ?? [])
  expect(csv).toEqual(said)
  const json = jsonSchema.parse(JSON.parse(comparisonJson(prepared)))
  expect(json.rows.flatMap(({ deltas }) => deltas.map(({ word }) => word))).toEqual(said)
  expect(json.sentence).toBe(prepared.comparison.sentence)
  const html = comparisonPage({ prepared, name: 'x', notes: '', raw: [], themes })
  const inHtml = html.matchAll(/<td>((?:no verdict|equal|n = 1|may be noise)[^<]*)<\/td>/g)
  expect([...inHtml].map(([, text]) => text)).toEqual(of(judgementText))
  expect(html).toContain(`<h1>${prepared.comparison.sentence}</h1>`)
})

const jsonSchema = z.object({
  sentence: z.string(),
  rows: z.array(z.object({ deltas: z.array(z.object({ word: z.string() })) })),
})

it('marks a figure clipped by a timeout as a bound, in words and as data', async () => {
  const runs = (await pair()).map((run) => ({
    ...run,
    tool: 'vegeta' as const,
    figures: { ...run.figures, p99Ms: 30_001 },
  }))
  const viewed = prepare(runs, 'm=p99,mean')
  const words = wordTable(viewed).rows.find(([name]) => name?.startsWith('p99')) ?? []
  expect([words[1], words[2]].map((text) => text?.startsWith('≥'))).toEqual([true, true])
  const lines = comparisonCsv(viewed).split(/\r?\n/)
  const bounds = lines.filter((line) => /^(metric|p99|mean),/.test(line)).map((line) => line.split(',').at(-1))
  expect(bounds).toEqual(['bound', '>=', '>=', '', ''])
  expect(comparisonPage({ prepared: viewed, name: 'x', notes: '', raw: [], themes })).toContain('≥')
})
