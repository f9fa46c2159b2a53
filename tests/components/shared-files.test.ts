import { expect, it } from 'vitest'
import { comparisonMarkdown } from '@/app/s/comparison-markdown'
import { costRows, sideKey } from '@/components/compare/cost-rows'
import { drawHdrPlot, toSvg } from '@/components/charts/hdr-plot-file'
import { comparisonJson, plotOf } from '@/components/shared/comparison-files'
import { comparisonPage } from '@/components/shared/comparison-page'
import { prepareComparison } from '@/components/shared/prepare-comparison'
import { importFile } from '@/importers/index'
import type { StoredRun } from '@/lib/run/stored'
import { storedDocument } from '../stored-runs'

/** Runs whose file is gone: their pages hold figures. */
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
    view,
    () => null,
  )
  if (!prepared) throw new Error('nothing to compare')
  return prepared
}

it('every file of a comparison carries the limit and the cost that its view had', async () => {
  const runs = await pair()
  const inputs = runs.map(
    (run, at) => `cost.${sideKey(run)}.instances=${at === 0 ? 20 : 100}&cost.${sideKey(run)}.price=0.5`,
  )
  const viewed = prepare(runs, ['slo=80', 'cost.rate=1000', ...inputs].join('&'))
  const cost = costRows(runs, viewed.view.cost)
  expect(cost.map(({ label }) => label)).toContain('Instances, per hour')
  const svg = toSvg(drawHdrPlot(plotOf(viewed) ?? expect.fail('no plot'), 960, 420), 'x')
  const html = comparisonPage({ prepared: viewed, name: 'x', notes: '', raw: [] })
  const page = await comparisonMarkdown(viewed, { name: 'x', notes: '', takeaways: '' })
  const markdown = page.replaceAll(/[\u00a0\u202f]/g, ' ')
  for (const text of [svg, html]) expect(text).toContain('>SLO 80')
  for (const text of [html, markdown]) expect(text).toMatch(/The limit \\?\(SLO\\?\) is 80\.0/)
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
  expect(comparisonPage({ prepared, name: 'x', notes: '', raw: [] })).not.toMatch(/SLO|<h2>Cost/)
  expect(JSON.parse(comparisonJson(prepared))).toMatchObject({ sloMs: null, cost: null })
})
