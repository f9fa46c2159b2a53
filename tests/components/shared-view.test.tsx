import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, expect, it, vi } from 'vitest'
import { comparisonMarkdown } from '@/app/s/comparison-markdown'
import { shownView } from '@/app/s/prepare-share'
import { themes } from '@/app/_server/themes'
import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { frozenSearch, matrixQueryOf } from '@/components/matrix/matrix-url'
import { readChartView } from '@/components/run/figures/chart-view'
import { comparisonCsv } from '@/components/shared/comparison-files'
import { comparisonPage } from '@/components/shared/comparison-page'
import { comparisonFace } from '@/components/shared/share-face'
import { ShareHead } from '@/components/shared/share-head'
import { roundInterval } from '@/lib/judge/delta'
import type { NoiseOf, StepOf } from '@/lib/judge/sides'
import type { StoredRun } from '@/lib/history/stored-runs'
import { storedDocument } from '../stored-runs'

// Files in one process share modules: loaded again, with the mock, for this file only.
vi.resetModules()
vi.doMock('next/navigation', () => ({
  useRouter: () => ({}),
  usePathname: () => '/s/token',
  useSearchParams: () => new URLSearchParams(),
}))
const { ComparisonView } = await import('@/components/compare/comparison-view')
const { SharedComparison } = await import('@/components/shared/shared-comparison')
const { SharedRun } = await import('@/components/shared/shared-run')
afterAll(() => {
  vi.doUnmock('next/navigation')
  vi.resetModules()
})

const logScale = /aria-current="true"[^>]*>Log scale/

it('a shared comparison has the shape, axes and scale it was shared with', async () => {
  const { runs } = await storedDocument('lambda-dispatcher-vs-direct')
  const html = (query: string) => {
    const prepared = prepareComparison(
      runs.slice(0, 2).map((run) => [run]),
      viewOf(query),
      () => null,
    )
    if (!prepared) throw new Error('nothing to compare')
    return renderToStaticMarkup(<SharedComparison prepared={prepared} notes="" tables={[]} whyHref={null} />)
  }
  const cumulative = 'Share of requests at or below a latency'
  expect(html('')).not.toContain(cumulative)
  expect(html('shape=ecdf')).toContain(cumulative)
  expect(html('')).not.toMatch(logScale)
  expect(html('y=log')).toMatch(logScale)
  expect(html('axis=log')).not.toBe(html('axis=linear'))
})

it('a shared run has the distribution, bars and scale it was shared with', async () => {
  const [run] = (await storedDocument('lambda-dispatcher-vs-direct')).runs
  if (!run) throw new Error('a run expected')
  const html = (query: string) =>
    renderToStaticMarkup(
      <SharedRun run={run} notes="" hasRaw={false} view={readChartView(new URLSearchParams(query))} tables={[]} />,
    )
  expect(html('y=log')).toMatch(logScale)
  expect(html('')).not.toMatch(logScale)
  expect(html('axis=log')).not.toBe(html('axis=linear'))
})

it('a shared sweep keeps its scales and the plots that are tables', () => {
  const query = matrixQueryOf('view=sweep&axis=rate&x=log&y=linear&table=sweep-p99')
  expect(frozenSearch(query, 'gzip')).toBe('view=sweep&axis=rate&x=log&y=linear&base=gzip&table=sweep-p99')
})

it('a share shows the tables it was shared with, until the reader chooses', () => {
  const share = { view: 'm=p99&table=shift.percentiles' }
  expect(shownView(share, undefined).tables).toEqual(['shift', 'percentiles'])
  expect(shownView(share, 'shift').tables).toEqual(['shift'])
  expect(shownView(share, '').tables).toEqual([])
})

/** Two versions of one run, in rounds with random order or one after the other; the head is `factor` times as slow. */
async function versions(count: number, factor: number, isInTurns: boolean): Promise<readonly (readonly StoredRun[])[]> {
  const [run] = (await storedDocument('lambda-dispatcher-vs-direct')).runs
  if (!run) throw new Error('a run expected')
  // Without their raw file, so that the Markdown page contains figures.
  const upload = { ...run.upload, rawRemovedAt: run.uploadedAt }
  return [0, 1].map((of) =>
    Array.from({ length: count }, (_, round): StoredRun => {
      const times = (of === 1 ? factor : 1) * (1 + 0.006 * Math.sin(5 * round + 3 * of))
      const figures = Object.fromEntries(
        Object.entries(run.figures).map(([name, figure]) => {
          const by = name.endsWith('Ms') ? times : name.endsWith('PerSecond') ? 1 / times : 1
          return [name, figure === null ? null : figure * by]
        }),
      ) as StoredRun['figures']
      const minute = isInTurns
        ? 10 * round + ([1, 2, 4, 7].includes(round) === (of === 1) ? 0 : 5)
        : 10 * round + 200 * of
      const startedAt = new Date(Date.UTC(2026, 10, 21, 0, minute)).toISOString()
      const labels = isInTurns ? { round: String(round), order: 'drawn' } : {}
      return {
        ...run,
        id: `${of}-${round}`,
        variant: ['main', 'branch'][of] ?? '',
        figures,
        upload,
        startedAt,
        labels,
        guards: [],
      }
    }),
  )
}

const calm: NoiseOf<StoredRun> = () => ({ runs: 60, sdLog: 0.01, sdStep: 0.01, maxStepLog: 0.02 })
const reported: StepOf<StoredRun> = (_base, _side, { id }) =>
  id === 'p99' ? { verdict: 'worse', effectRatio: 0.4, lowRatio: 0.388, highRatio: 0.41, p: 1e-5 } : null
const nothingKnown = () => null

it.each([
  ['worse by rounds', 8, 1.3, true, nothingKnown, nothingKnown],
  ['better by few rounds', 5, 0.7, true, calm, nothingKnown],
  ['the same', 8, 1.001, true, nothingKnown, nothingKnown],
  ['blocks on a calm machine', 8, 1.3, false, calm, nothingKnown],
  ['a reported change of level', 8, 1.4, false, nothingKnown, reported],
] as const)('a decided headline has its interval wherever it appears: %s', async (...wanted) => {
  const [, count, factor, isInTurns, noiseOf, stepOf] = wanted
  const prepared = prepareComparison(await versions(count, factor, isInTurns), viewOf(''), noiseOf, stepOf)
  if (!prepared) throw new Error('nothing to compare')
  const { comparison } = prepared
  const named = /\([+−][^()]* to [^()]*\)/gu
  const intervals = [...comparison.sentence.matchAll(named)].map(([interval]) => interval.slice(1, -1))
  const decided = comparison.rows.filter(
    ({ metric, deltas: [delta] }) => metric.unit !== 'ratio' && /better|worse|same/.test(delta?.verdict ?? ''),
  )
  expect(intervals.length).toBeGreaterThan(0)
  const known = decided.map(({ deltas: [delta] }) => delta && roundInterval(delta))
  expect(known).toEqual(expect.arrayContaining(intervals))

  const face = comparisonFace(prepared)
  const share = { kind: 'comparison', name: 'x', projectName: 'p', createdAt: '2026-11-21T00:00:00.000Z' } as const
  const texts = {
    page: renderToStaticMarkup(<ComparisonView projectSlug="p" prepared={prepared} limits={[]} />),
    share: renderToStaticMarkup(
      <ShareHead token="t" share={{ ...share, expiresAt: null }} face={face} conditions={null} />,
    ),
    file: comparisonPage({ prepared, name: 'x', notes: '', raw: [], themes }),
    markdown: await comparisonMarkdown(prepared, { name: 'x', notes: '', takeaways: '' }),
  }
  for (const [where, text] of Object.entries(texts))
    for (const interval of intervals) expect(plainly(text), where).toContain(plainly(interval))
  // So do the figures, and the values next to a change match it.
  const csv = comparisonCsv(prepared)
  for (const { baseValue, deltas } of decided) {
    const { value, changeRatio, lowRatio, highRatio } = deltas[0] ?? {}
    expect(csv).toContain(`,${value},${changeRatio},${lowRatio},${highRatio},`)
    expect((value ?? 0) / (baseValue ?? 0) - 1).toBeCloseTo(changeRatio ?? 0, 10)
  }
})

const plainly = (text: string): string => text.replaceAll('\\', '').replaceAll(/[\u00a0\u202f]/g, ' ')
