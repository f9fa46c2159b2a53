import { expect, it } from 'vitest'
import { InvalidInputError, NotFoundError } from '@/lib/errors'
import type { TrendPoint } from '@/lib/levels/points'
import { evaluatedRuns, type SeriesTrends, type Trend, trendsOf } from '@/lib/levels/trend'
import { noiseRuns, seriesNoiseOf } from '@/lib/judge/history-noise'
import { findMetric, type Metric } from '@/lib/run/metrics'
import { localViewer } from '@/lib/viewer'
import { database } from '@/prisma/db'
import { deleteRun, moveRun, restoreRun, updateRun } from '@/prisma/queries/runs/runs'
import { getSeriesHistories } from '@/prisma/queries/series/series'
import { getTrends, getTrendsSoFar, listSeriesNoise } from '@/prisma/queries/series/trends'
import { deleteUpload, restoreUpload, saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const p99s = [...Array(12).keys()].map((at) => (at < 7 ? 40 : 60) + Math.sin(at * 2.4))
const [p99, ...others] = ['p99', 'error-ratio', 'init'].flatMap((id) => findMetric(id) ?? [])
if (p99 === undefined) throw new Error('a metric')
const shown = [p99, ...others]

const runAt = (ms: number, day: number, variant: string) =>
  sampleRun({
    startedAt: new Date(Date.UTC(2025, 0, 1 + day)).toISOString(),
    errors: [],
    latencies: [sampleLatency({ quantiles: [{ q: 0.99, ms }] })],
    proposal: {
      scenario: 'GET /ping',
      variant,
      labels: { commit: `c${day >> 1}`, branch: 'main', other: 'not shown' },
    },
  })

async function saveHistory(projectId: string, variant = 'a') {
  const { runs } = await saveImport(
    localViewer,
    sampleImport(projectId, sampleFile(p99s.map((ms, at) => runAt(ms, at, variant)))),
  )
  const [first, second] = runs
  if (!first || !second) throw new Error('twelve runs were saved')
  return { first, second, runs, seriesId: first.seriesId }
}

/** Judged from the current runs. */
async function judgedNow(projectId: string, seriesId: string, metric: Metric, runs: number) {
  const [history] = await getSeriesHistories(await toRead(projectId), [seriesId], Math.max(runs, evaluatedRuns))
  if (!history) throw new Error('the series is there')
  return withShownLabels(trendsOf(history, metric, runs))
}

const withShownLabels = ({ series, trends }: SeriesTrends): SeriesTrends => {
  const shownOf = ({ commit = '', branch = '' }: TrendPoint['labels']) => ({ commit, branch })
  const points = (trend: Trend) => trend.points.map((point) => ({ ...point, labels: shownOf(point.labels) }))
  return { series, trends: trends.map((trend) => ({ ...trend, points: points(trend) })) }
}

describeOnOneEngine('trends', () => {
  const get = async (projectId: string, seriesId: string, runs = 100) =>
    getTrends(await toRead(projectId), { seriesIds: [seriesId], metrics: shown, runs })
  const expectFresh = async (projectId: string, seriesId: string, runs = 100) => {
    // Judged once, then read once.
    for (let time = 0; time < 2; time += 1) {
      const found = await get(projectId, seriesId, runs)
      for (const metric of shown)
        expect(found.get(metric)?.map(withShownLabels)).toEqual([await judgedNow(projectId, seriesId, metric, runs)])
    }
  }
  const storedOf = (seriesId: string) => database().seriesTrend.count({ where: { seriesId } })

  it('are those of the runs, judged and read', async () => {
    const { id: projectId } = await sampleProject()
    const { seriesId } = await saveHistory(projectId)
    await expectFresh(projectId, seriesId)
    await expectFresh(projectId, seriesId, 5)
    expect(await storedOf(seriesId)).toBe(6)
    const [one] = (await get(projectId, seriesId)).get(p99) ?? []
    expect(one?.trends[0]?.points.map((point) => point.runIds.length)).toEqual([2, 2, 2, 2, 2, 2])
  })

  it('are read from the store until a run of the series changes', async () => {
    const { id: projectId } = await sampleProject()
    const { first, second, seriesId } = await saveHistory(projectId)
    const other = await saveHistory(projectId, 'b')
    const elsewhere = await sampleProject()
    await expectFresh(projectId, seriesId)
    await expectFresh(projectId, other.seriesId)
    const mark = (id: string) => database().seriesTrend.updateMany({ where: { seriesId: id }, data: { lines: '[]' } })
    await mark(other.seriesId)
    const own = await toEdit(projectId)
    const changes: readonly (() => Promise<unknown>)[] = [
      () => saveImport(localViewer, sampleImport(projectId, sampleFile([runAt(80, 20, 'a')]))),
      () => updateRun(own, first.id, { labels: { commit: 'another', branch: 'main' } }),
      () => updateRun(own, first.id, { startedAt: '2025-03-01T00:00:00.000Z' }),
      () => updateRun(own, first.id, { variant: 'c' }),
      () => deleteRun(own, second.id),
      () => restoreRun(own, second.id),
      () => moveRun(own, { runId: second.id, toProjectSlug: elsewhere.slug }),
      () => deleteUpload(own, first.uploadId),
      () => restoreUpload(own, first.uploadId),
    ]
    for (const change of changes) {
      await change()
      await expectFresh(projectId, seriesId)
    }
    // Nothing happened to it: the stored trend is read.
    expect((await get(projectId, other.seriesId)).get(p99)?.[0]?.trends).toEqual([])
  })

  it('read the stored noise of a series, until one of its runs changes', async () => {
    const { id: projectId } = await sampleProject()
    const { first, seriesId } = await saveHistory(projectId)
    const other = await saveHistory(projectId, 'b')
    const expectNoise = async () => {
      for (const _ of ['computed', 'read']) {
        const histories = await getSeriesHistories(await toRead(projectId), [other.seriesId, seriesId], noiseRuns)
        const found = await listSeriesNoise(await toRead(projectId), [other.seriesId, seriesId])
        expect(found).toEqual(histories.map(seriesNoiseOf))
        const [profile] = Object.values(found[1]?.byProfile ?? {})
        expect(profile?.['p99']?.runs).toBeGreaterThanOrEqual(5)
      }
    }
    await expectNoise()
    // Trends with as many runs are stored with it.
    await expectFresh(projectId, seriesId, noiseRuns)
    await expectNoise()
    await saveImport(localViewer, sampleImport(projectId, sampleFile([runAt(80, 20, 'a')])))
    await expectNoise()
    await updateRun(await toEdit(projectId), first.id, { labels: { commit: 'another', branch: 'main' } })
    await expectNoise()
    await database().seriesTrend.updateMany({ where: { seriesId: other.seriesId }, data: { lines: '{}' } })
    expect(await listSeriesNoise(await toRead(projectId), [other.seriesId])).toEqual([
      { seriesId: other.seriesId, byProfile: {} },
    ])
    await expect(listSeriesNoise(await toRead((await sampleProject()).id), [seriesId])).rejects.toThrow(NotFoundError)
  })

  it('are judged for a limited number of series at once; the others wait, with what was stored before', async () => {
    const { id: projectId } = await sampleProject()
    const seriesIds: string[] = []
    for (const variant of ['a', 'b', 'c']) seriesIds.push((await saveHistory(projectId, variant)).seriesId)
    const [, b = '', c = ''] = seriesIds
    const wanted = { seriesIds, metrics: shown, runs: 100 }
    const soFar = async (maxJudged: number) => {
      const { trends, waiting } = await getTrendsSoFar(await toRead(projectId), wanted, maxJudged)
      const of = trends.get(p99) ?? []
      expect(of.map((one) => one.series.id)).toEqual(seriesIds)
      return { waiting, runs: of.map(({ trends: [one] }) => one?.points.flatMap((point) => point.runIds).length ?? 0) }
    }
    expect(await soFar(1)).toEqual({ waiting: [b, c], runs: [12, 0, 0] })
    // The judged ones are stored, so the next call continues.
    expect(await soFar(1)).toEqual({ waiting: [c], runs: [12, 12, 0] })
    expect(await soFar(0)).toEqual({ waiting: [c], runs: [12, 12, 0] })
    expect(await soFar(1)).toEqual({ waiting: [], runs: [12, 12, 12] })
    await saveImport(localViewer, sampleImport(projectId, sampleFile([runAt(80, 20, 'a'), runAt(80, 20, 'b')])))
    expect(await soFar(1)).toEqual({ waiting: [b], runs: [13, 12, 12] })
    expect((await getTrends(await toRead(projectId), wanted)).get(p99)).toHaveLength(3)
    expect(await soFar(0)).toEqual({ waiting: [], runs: [13, 13, 12] })
  })

  it('are not found in another project', async () => {
    const { id: projectId } = await sampleProject()
    const foreign = await saveHistory((await sampleProject()).id)
    await expect(get(projectId, foreign.seriesId)).rejects.toThrow(NotFoundError)
    await expect(get(projectId, 'x')).rejects.toThrow(NotFoundError)
    await expect(get(projectId, foreign.seriesId, 3_000)).rejects.toThrow(InvalidInputError)
  })
})
