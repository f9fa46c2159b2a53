import { describe, expect, it } from 'vitest'
import { prepareCurves } from '../../../components/charts/fan'
import { drawFile } from '../../../components/charts/plot/file'

const named = (names: readonly string[]) => {
  const runs = names.map((name, styleIndex) => ({
    id: `r${styleIndex}`,
    ...{ tool: 'vegeta' as const, name, styleIndex, requests: 10_000, maxMs: 90 },
    quantiles: [
      { q: 0.5, ms: 10 + styleIndex },
      { q: 0.99, ms: 40 + styleIndex },
    ],
  }))
  const curves = prepareCurves('fan', 'GET /ping', runs)
  if (curves === null) throw new Error('no curves')
  return drawFile({ ...curves.plot, legend: curves.plot.legend ?? 'lines' }, { width: 900, height: 400 }, String).texts
}
const long = (at: number) => `POST /api/v2/checkout/payments › node22 with keep-alive and gzip › build ${at}`

describe('the legend of a file', () => {
  it('has a line for each of a few long names', () => {
    const names = [long(1), long(2)]
    const shown = named(names).filter(({ text }) => names.includes(text))
    expect(new Set(shown.map(({ y }) => y)).size).toBe(2)
  })

  it('keeps both ends of each of many long names, so that no two are alike', () => {
    const texts = named(Array.from({ length: 6 }, (_, at) => long(at))).map(({ text }) => text)
    for (let at = 0; at < 6; at += 1)
      expect(texts.filter((text) => /^POST .*…/.test(text) && text.endsWith(`${at}`))).toHaveLength(1)
  })
})
