import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { trendAnswer } from '@/app/mcp/answers'
import { evaluateDue } from '@/app/_server/alerts/evaluate-series'
import { judgeInTime } from '@/app/_server/alerts/judge-upload'
import { findMetric } from '@/lib/run/metrics'
import { builtInSettings } from '@/lib/rules/rules'
import { liveStates } from '@/lib/rules/stored-alerts'
import { localViewer } from '@/lib/viewer'
import { database } from '@/prisma/db'
import { listAlerts } from '@/prisma/queries/alerts/alerts'
import { listBoardRuns } from '@/prisma/queries/series/board'
import { grant } from '@/prisma/queries/projects/projects'
import { saveRule } from '@/prisma/queries/alerts/rules'
import { listUploadRuns } from '@/prisma/queries/runs/runs'
import { getTrends } from '@/prisma/queries/series/trends'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { later } from '../../later'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toRead } from '../samples'

const labelled = z
  .array(z.object({ id: z.string(), values: z.array(z.number()) }))
  .parse(JSON.parse(readFileSync('tests/fixtures/change-points/synthetic.json', 'utf8')))
/** `TAILBOARD_LABELLED=all`: all of them; every eighth by default. */
const shownSeries = labelled.filter((_, at) => process.env['TAILBOARD_LABELLED'] === 'all' || at % 8 === 0)
const p99 = findMetric('p99') ?? expect.fail('p99')

const runAt = (day: number, variant: string, ms: number) =>
  sampleRun({
    startedAt: new Date(Date.UTC(2025, 0, 1 + day)).toISOString(),
    latencies: [sampleLatency({ quantiles: [{ q: 0.99, ms }] })],
    proposal: { scenario: 'GET /ping', variant, labels: {} },
  })

/** Saves runs of one variant, one per day; returns their upload, series and ids, oldest first. */
async function save(projectId: string, variant: string, values: readonly number[], from = 0) {
  const runs = values.map((ms, at) => runAt(from + at, variant, ms))
  const saved = await saveImport(localViewer, sampleImport(projectId, sampleFile(runs)))
  return { uploadId: saved.upload.id, seriesId: saved.runs[0]?.seriesId ?? '', runIds: saved.runs.map(({ id }) => id) }
}

/** The gate's verdict on p99 for an upload. */
async function gateOf(projectId: string, uploadId: string) {
  const runs = await listUploadRuns(await toRead(projectId), uploadId)
  const verdict = await judgeInTime(
    localViewer,
    { projectId, uploadId, runs, wait: 1, repeat: 0, strict: false },
    60_000,
  )
  const row = verdict?.rows.find((one) => one.kind === 'change-point' && one.metric === p99)
  return row?.kind === 'change-point' ? row.judged : null
}

/** The changes of p99 in a series on each surface: where they start, among its newest runs. */
async function surfacesOf(projectId: string, seriesId: string) {
  const changesIn = async (runs: number) => {
    const found = await getTrends(await toRead(projectId), { seriesIds: [seriesId], metrics: [p99], runs })
    const [series] = found.get(p99) ?? []
    const [trend] = series?.trends ?? []
    if (series === undefined || trend === undefined) throw new Error('a trend')
    return { series, trend }
  }
  const [strip, board, page] = [await changesIn(30), await changesIn(100), await changesIn(500)]
  const newest = page.trend.points.at(-1)?.runIds.at(-1) ?? ''
  const runs = await listBoardRuns(await toRead(projectId), [newest])
  const alerts = await listAlerts(await grant(localViewer, { id: projectId }, 'read'), liveStates)
  return {
    strip: strip.trend,
    board: board.trend,
    page: page.trend,
    agent: trendAnswer(page.series, p99).join('\n'),
    judged: runs.get(newest)?.judgement?.metrics.find(({ metricId }) => metricId === 'p99') ?? null,
    alerted: alerts.flatMap(({ findings }) => findings.filter((one) => one.seriesId === seriesId)),
  }
}

describeOnOneEngine('one history', () => {
  it('board, series, agent, run and alert show the same changes and the same level, for the labelled series', async () => {
    const { id: projectId } = await sampleProject()
    const newest: { readonly uploadId: string; readonly seriesId: string }[] = []
    for (const { id, values } of shownSeries) {
      await save(projectId, id, values.slice(0, -3))
      await evaluateDue()
      newest.push(await save(projectId, id, values.slice(-3), values.length - 3))
      await evaluateDue()
    }
    const asked = { changed: 0, judged: 0, alerted: 0, gated: 0 }
    for (const [at, { seriesId, uploadId }] of newest.entries()) {
      const { strip, board, page, agent, judged, alerted } = await surfacesOf(projectId, seriesId)
      const named = shownSeries[at]?.id
      const all = page.changes.map(({ afterRunId }) => afterRunId)
      asked.changed += all.length
      asked.judged += judged?.change == null ? 0 : 1
      asked.alerted += alerted.length
      const gated = await gateOf(projectId, uploadId)
      asked.gated += gated === null ? 0 : 1
      for (const part of [strip, board]) {
        const shown = new Set(part.points.flatMap(({ runIds }) => runIds))
        expect([named, part.changes.map((one) => one.afterRunId)]).toEqual([named, all.filter((id) => shown.has(id))])
        expect([named, part.level?.value]).toEqual([named, page.level?.value])
      }
      expect([named, agent.match(/at run (\S+),/g)?.length ?? 0]).toEqual([named, all.length])
      for (const { afterRunId } of alerted) expect([named, all]).toEqual([named, expect.arrayContaining([afterRunId])])
      if (judged?.change != null) expect([named, judged.change.afterRunId]).toEqual([named, all.at(-1)])
      expect([named, gated]).toEqual([named, judged])
    }
    expect(asked.changed).toBeGreaterThan(shownSeries.length / 5)
    expect(Math.min(asked.judged, asked.alerted)).toBeGreaterThan(0)
    expect(asked.gated).toBe(newest.length)
  }, 600_000)

  it('a rule with its own smallest effect decides what is a change on every page', async () => {
    const { id: projectId } = await sampleProject()
    const settings = { ...builtInSettings, leastEffectRatio: 0.3 }
    const everywhere = { scenario: null, seriesId: null, isEnabled: true, mutedUntil: null, ruleId: null }
    await later()
    await saveRule(await grant(localViewer, { id: projectId }, 'edit'), { ...everywhere, settings }, new Date())
    const slower = Array.from({ length: 40 }, (_, at) => (at < 25 ? 40 : 46) * (1 + 0.01 * Math.sin(at * 2.4)))
    const { seriesId } = await save(projectId, 'a', slower)
    await evaluateDue()
    const { board, page, alerted, judged } = await surfacesOf(projectId, seriesId)
    expect([board.changes, page.changes, alerted, judged?.change ?? null]).toEqual([[], [], [], null])
  })

  it('a trend shows the range that the next run is judged by, and the drift that an alert reports', async () => {
    const crept = Array.from({ length: 60 }, (_, at) => (40 + at * 0.1) * (1 + 0.02 * Math.sin(at * 2.4)))
    const said: unknown[] = []
    for (const leastEffectRatio of [null, 0.5]) {
      const { id: projectId } = await sampleProject()
      const { seriesId } = await save(projectId, 'a', crept.slice(0, -1))
      await evaluateDue()
      // Stored by now, with the settings of the built-in rule.
      expect((await surfacesOf(projectId, seriesId)).page.drift).not.toBeNull()
      const settings = { ...builtInSettings, leastEffectRatio }
      const everywhere = { scenario: null, seriesId: null, isEnabled: true, mutedUntil: null, ruleId: null }
      await later()
      await saveRule(await grant(localViewer, { id: projectId }, 'edit'), { ...everywhere, settings }, new Date())
      await evaluateDue()
      const { page } = await surfacesOf(projectId, seriesId)
      await save(projectId, 'a', crept.slice(-1), crept.length - 1)
      await evaluateDue()
      const { judged } = await surfacesOf(projectId, seriesId)
      expect([page.level?.low, page.level?.high]).toEqual([judged?.expectedLow, judged?.expectedHigh])
      const alerts = await listAlerts(await grant(localViewer, { id: projectId }, 'read'), liveStates)
      said.push([
        page.drift !== null,
        alerts.flatMap(({ events }) => events.filter(({ kind }) => kind === 'drift')).length,
      ])
    }
    expect(said).toEqual([
      [true, 1],
      [false, 0],
    ])
  })

  it('changes from before they were stored are found when a page opens, until the next evaluation', async () => {
    const { id: projectId } = await sampleProject()
    const slower = Array.from({ length: 40 }, (_, at) => (at < 25 ? 40 : 56) * (1 + 0.01 * Math.sin(at * 2.4)))
    const { seriesId, runIds } = await save(projectId, 'a', slower)
    await evaluateDue()
    const evaluated = await surfacesOf(projectId, seriesId)
    expect(evaluated.page.changes.map((one) => one.afterRunId)).toEqual([runIds[25]])
    // As another version stored them: none yet, or a list without the settings of its rule.
    for (const changes of [{}, { p99: [] }]) {
      await database().seriesWatch.updateMany({ where: { seriesId }, data: { changes } })
      await database().seriesTrend.deleteMany({ where: { seriesId } })
      expect((await surfacesOf(projectId, seriesId)).page).toEqual(evaluated.page)
    }
  })
})
