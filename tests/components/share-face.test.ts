import { expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { matrixQueryOf } from '@/components/matrix/matrix-url'
import { prepareMatrix } from '@/components/matrix/prepare-matrix'
import { plotOf, wordTable } from '@/components/shared/comparison-files'
import { embedPage } from '@/components/shared/embed-page'
import { comparisonFace, factWords, faceWords, matrixFace } from '@/components/shared/share-face'
import type { RunJudgement } from '@/lib/run/judgement'
import { readThemes } from '@/lib/theme'
import { storedDocument } from '../stored-runs'

const prepared = async (sides: number, judgement: RunJudgement | null = null) => {
  const { runs } = await storedDocument('lambda-dispatcher-vs-direct')
  const wanted = runs.slice(0, sides).map((run) => [
    {
      ...run,
      judgement,
      labels: { commit: '8de2d48a11b2c3d4' },
      startedAt: null,
      orderedAt: '2026-11-19T08:00:00.000Z',
    },
  ])
  return prepareComparison(wanted, viewOf(''), () => null) ?? expect.fail('nothing to compare')
}

const judgement: RunJudgement = {
  version: 'x',
  state: 'worse',
  metricId: 'p99',
  sentence: 'p99 is 18 % above its level',
  runs: 3,
  failedRatio: 0,
  failedCount: 0,
  guards: [],
  judgedBy: 'whole',
  metrics: [],
}

it('a comparison shows its sides, its verdict with the caution, and when and how it was measured', async () => {
  const one = await prepared(2)
  const face = comparisonFace(one)
  const { sentence, caution, doubt } = one.comparison
  expect(face).toMatchObject({ sentence, caution, doubt, state: null })
  for (const name of one.names) expect(face.subject).toContain(name)
  expect(factWords(face.facts).slice(0, 2)).toEqual(['uploaded 19 Nov 2026', 'commit 8de2d48'])
  expect(face.facts.count).toBe('n = 1 each')
  expect(faceWords(face)).toBe(`${sentence}. ${doubt}`)
})

it('a run shows its judgement and its names', async () => {
  const face = comparisonFace(await prepared(1, judgement))
  expect(face).toMatchObject({ state: 'worse', sentence: judgement.sentence })
  expect(face.facts.count).toBe('n = 3')
  expect(faceWords(face)).toBe('Worse: p99 is 18 % above its level')
  const unjudged = comparisonFace(await prepared(1))
  expect(unjudged.state).toBeNull()
  expect(unjudged.sentence).not.toBe('')
  expect(unjudged.facts.count).toBe('n = 1')
})

it('a matrix shows its scenarios', async () => {
  const { runs } = await storedDocument('lambda-dispatcher-vs-direct')
  const face = matrixFace(prepareMatrix(runs, matrixQueryOf(''), []))
  expect(face.subject).toMatch(/ and 2 more$/)
  expect(face.facts.count).toBe('7 runs')
})

it('an embedded share is one page without scripts, and all input is rendered as text', async () => {
  const one = await prepared(2)
  const evil = '</script><svg onload=alert(1)>"\'&'
  const themes = readThemes(readFileSync('app/tokens.css', 'utf8'))
  const html = (theme: 'dark' | null) =>
    embedPage({
      face: {
        ...comparisonFace(one),
        ...{ sentence: evil, title: evil, basis: evil, subject: evil },
        state: 'worse',
        chips: [{ state: 'worse', words: `Worse since ${evil}` }],
      },
      projectName: evil,
      plot: plotOf(one),
      tables: [{ title: evil, ...wordTable(one) }],
      url: `https://x.example/s/"${evil}`,
      themes,
      theme,
    })
  expect(html(null)).not.toMatch(/<script|<svg onload|javascript:/)
  expect(html(null)).toContain('>Open in Tailboard</a>')
  expect(html(null)).toContain('Worse since ')
  expect(html(null)).toContain(`--bg:${themes.light['--bg']}`)
  expect(html('dark')).not.toContain(`--bg:${themes.light['--bg']}`)
  expect(html('dark')).toContain('color-scheme:dark')
})
