import { expect, it } from 'vitest'
import { projectNews, type NewsRun } from '@/lib/project/project-news'
import type { JudgedState } from '@/lib/run/judged-states'

const run = (
  id: string,
  [uploadId, seriesId]: readonly [string, string],
  state: JudgedState | null,
  candidate = false,
): NewsRun => ({
  ...{ id, uploadId, seriesId, candidate, projectId: 'p', projectSlug: 'p', uploadName: `${uploadId}.txt` },
  ...{ scenario: 'GET /', variant: null, orderedAt: `2026-01-0${id}T00:00:00.000Z` },
  judged: state === null ? null : { state, sentence: '' },
  figures: { p99Ms: null, meanMs: null, throughputPerSecond: null, requestsPerSecond: null },
})

it("gives the most urgent run of each upload, and how the project's series are judged", () => {
  const news = projectNews([
    run('5', ['second', 'a'], 'as-expected'),
    run('4', ['second', 'b'], 'unusual'),
    run('3', ['second', 'c'], 'failing'),
    run('2', ['first', 'a'], 'worse'),
    run('1', ['first', 'b'], null),
  ])
  expect(news.uploads).toEqual([
    {
      uploadId: 'second',
      uploadName: 'second.txt',
      at: '2026-01-05T00:00:00.000Z',
      state: 'failing',
      runs: 3,
      urgent: 2,
    },
    { uploadId: 'first', uploadName: 'first.txt', at: '2026-01-02T00:00:00.000Z', state: 'worse', runs: 2, urgent: 1 },
  ])
  expect(news.states).toEqual([
    { state: 'failing', count: 1 },
    { state: 'unusual', count: 1 },
    { state: 'as-expected', count: 1 },
  ])
  expect(news.newest?.id).toBe('5')
})

it('does not treat a candidate as the newest of its series, and includes uploads that are not judged', () => {
  const news = projectNews([run('2', ['pr', 'a'], 'failing', true), run('1', ['main', 'a'], null)])
  expect(news.newest?.id).toBe('1')
  expect(news.states).toEqual([])
  expect(news.uploads.map(({ state }) => state)).toEqual(['failing', null])
  expect(projectNews([])).toEqual({ uploads: [], states: [], newest: null, urgent: [], newestOf: new Map() })
})
