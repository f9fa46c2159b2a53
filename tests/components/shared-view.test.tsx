import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, expect, it, vi } from 'vitest'
import { shownView } from '@/app/s/prepare-share'
import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { frozenSearch, matrixQueryOf } from '@/components/matrix/matrix-url'
import { readChartView } from '@/components/run/chart-view'
import { storedDocument } from '../stored-runs'

// Files of one process share their modules: loaded again, with the mock and for this file alone.
vi.resetModules()
vi.doMock('next/navigation', () => ({
  useRouter: () => ({}),
  usePathname: () => '/s/token',
  useSearchParams: () => new URLSearchParams(),
}))
const { SharedComparison } = await import('@/components/shared/shared-comparison')
const { SharedRun } = await import('@/components/shared/shared-run')
afterAll(() => {
  vi.doUnmock('next/navigation')
  vi.resetModules()
})

const logScale = /aria-current="true"[^>]*>Log scale/

it('a shared comparison has the shape, the axes and the scale that it was shared with', async () => {
  const { runs } = await storedDocument('lambda-dispatcher-vs-direct')
  const html = (query: string) => {
    const prepared = prepareComparison(
      runs.slice(0, 2).map((run) => [run]),
      viewOf(query),
      () => null,
    )
    if (!prepared) throw new Error('nothing to compare')
    return renderToStaticMarkup(<SharedComparison prepared={prepared} notes="" tables={[]} />)
  }
  const cumulative = 'Share of requests at or below a latency'
  expect(html('')).not.toContain(cumulative)
  expect(html('shape=ecdf')).toContain(cumulative)
  expect(html('')).not.toMatch(logScale)
  expect(html('y=log')).toMatch(logScale)
  expect(html('axis=log')).not.toBe(html('axis=linear'))
})

it('a shared run has the distribution, the bars and the scale that it was shared with', async () => {
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

it('a share shows the tables that it was shared with, until a reader chooses', () => {
  const share = { view: 'm=p99&table=shift.percentiles' }
  expect(shownView(share, undefined).tables).toEqual(['shift', 'percentiles'])
  expect(shownView(share, 'shift').tables).toEqual(['shift'])
  expect(shownView(share, '').tables).toEqual([])
})
