import { beforeAll, expect, it } from 'vitest'
import { findMetric } from '@/lib/run/metrics'
import { profilesOf } from '@/lib/history/series'
import type { RunFilter } from '@/lib/history/run-list'
import type { RunRow } from '@/lib/history/stored-runs'
import { trendPoints } from '@/lib/levels/points'
import { localViewer } from '@/lib/viewer'
import { listRepeats, listRuns } from '@/prisma/queries/runs/runs'
import { getSeriesHistories, listSeries } from '@/prisma/queries/series/series'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toRead } from '../samples'

const minutes = (count: number) => new Date(Date.UTC(2024, 0, 1) + count * 60_000).toISOString()

describeOnOneEngine('repeats', () => {
  let projectId = ''

  beforeAll(async () => {
    projectId = (await sampleProject()).id
    const run = (at: number, labels: Record<string, string> = {}, fields: Parameters<typeof sampleRun>[0] = {}) =>
      sampleRun({ startedAt: minutes(at), ...fields, proposal: { scenario: 'GET /', labels } })
    const uploads = [
      // Three of a commit, with one from another scenario and one with another load in between; then that commit again.
      [run(0, { commit: 'a' }), run(1, { commit: 'a' }), run(2, { commit: 'a' })],
      [sampleRun({ startedAt: minutes(1), proposal: { scenario: 'POST /', labels: { commit: 'a' } } })],
      [run(1, { commit: 'a' }, { load: { kind: 'closed', connections: 7 } })],
      [run(10, { commit: 'b' }), run(11, { commit: 'a' }), run(12, { commit: 'a', version: '2' }), run(13)],
      // One upload without labels: at most an hour apart; the last one is truncated.
      [run(100), run(130), run(185), run(250), run(251, {}, { complete: false })],
      [run(252)],
      // Another label decides before the commit; equal times.
      Array.from({ length: 4 }, (_, at) => run(300, { experiment: `e${at >> 1}`, commit: 'c' })),
      Array.from({ length: 25 }, (_, at) => run(400 + at, { build: '9' })),
    ]
    for (const runs of uploads) await saveImport(localViewer, sampleImport(projectId, sampleFile(runs)))
  })

  const pages = async (filter: RunFilter, direction: 'asc' | 'desc', limit: number) => {
    const rows: RunRow[] = []
    let cursor: string | undefined
    do {
      const page = await listRuns(await toRead(projectId), filter, { sort: 'time', direction, limit, cursor })
      rows.push(...page.rows)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return rows
  }

  it('are the points of trends, one line each, on pages of any size', async () => {
    const metric = findMetric('p99')
    if (!metric) throw new Error('no metric p99')
    const series = await listSeries(await toRead(projectId))
    const histories = await getSeriesHistories(
      await toRead(projectId),
      series.map((one) => one.id),
    )
    const points = histories.flatMap(profilesOf).flatMap((profile) => trendPoints(profile, metric))
    const rows = await pages({ newestOfRepeats: true }, 'desc', 3)
    const complete = rows.filter((row) => row.complete)
    expect(complete.map((row) => row.id).sort()).toEqual(points.map((point) => point.runIds.at(-1)).sort())
    expect(rows).toHaveLength(complete.length + 1)
    expect((await pages({ newestOfRepeats: true }, 'asc', 2)).map((row) => row.id)).toEqual(
      rows.map((row) => row.id).reverse(),
    )
    const repeats = await listRepeats(
      await toRead(projectId),
      rows.map((row) => row.id),
    )
    for (const { runIds } of points) {
      const newestFirst = [...runIds].reverse()
      const found = repeats.get(newestFirst[0] ?? '')?.map((run) => run.id)
      expect(found).toEqual(newestFirst.slice(0, 20))
    }
    expect(points.some((point) => point.runIds.length === 25)).toBe(true)
    expect(points.filter((point) => point.runIds.length > 1).length).toBeGreaterThan(2)
  })

  it('in a filter are those whose newest run matches it', async () => {
    const rows = await pages({ newestOfRepeats: true, labels: { commit: 'a' } }, 'desc', 2)
    const all = await pages({ newestOfRepeats: true }, 'desc', 50)
    expect(rows.map((row) => row.id)).toEqual(all.filter((row) => row.labels.commit === 'a').map((row) => row.id))
    expect(rows.length).toBeGreaterThan(2)
  })
})
