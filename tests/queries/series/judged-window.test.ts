import { expect, it } from 'vitest'
import { evaluateSeries } from '@/app/_server/alerts/evaluate-series'
import { findMetric } from '@/lib/run/metrics'
import type { RunWarmUp } from '@/lib/run/run'
import { localViewer } from '@/lib/viewer'
import { findDueSeries } from '@/prisma/queries/alerts/evaluations'
import { editProject, getProject, grant } from '@/prisma/queries/projects/projects'
import { getRun, updateRun } from '@/prisma/queries/runs/runs'
import { getRunPoints, getSeriesHistories } from '@/prisma/queries/series/series'
import { getTrends } from '@/prisma/queries/series/trends'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const steadyPart = (p99Ms: number) => ({
  ...{ fromMs: 2_000, requests: 5_000, errors: 0, servedPerSecond: 90, meanMs: 2, p50Ms: 2, p90Ms: 3, p95Ms: 4 },
  ...{ p99Ms, maxMs: 2 * p99Ms },
})
const steady = (p99Ms: number): RunWarmUp => ({ endMs: 1_900, isSteady: true, steady: steadyPart(p99Ms) })
const always: RunWarmUp = { endMs: 0, isSteady: true, steady: null }
const never: RunWarmUp = { endMs: null, isSteady: false, steady: null }

describeOnOneEngine('series judged by steady parts', () => {
  async function setUp() {
    const granted = await grant(localViewer, await sampleProject(), 'administer')
    const { id } = granted
    const save = async (day: number, warmUp: RunWarmUp | null, candidate?: boolean) => {
      const lines = { requests: [1], errors: [0], p50Ms: [1], p90Ms: [1], p95Ms: [1], p99Ms: [1], maxMs: [1] }
      const heat = { binMs: 1_000, lowerMs: [], counts: [] }
      const imported = sampleRun({
        startedAt: `2024-03-0${day}T00:00:00.000Z`,
        durationMs: 60_000,
        requests: 6_000,
        timeline: warmUp && { startedAt: null, binMs: 1_000, ...lines, heat, warmUp },
        latencies: [sampleLatency()],
        proposal: { scenario: 'GET /ping' },
      })
      const [run] = (await saveImport(localViewer, sampleImport(id, sampleFile([imported]), { names: { candidate } })))
        .runs
      if (run === undefined) throw new Error('a run was saved')
      return run
    }
    const evaluate = async (seriesId: string) => {
      const due = await findDueSeries(await toRead(id), seriesId)
      if (due !== null) await evaluateSeries(await toRead(id), [due])
      return due !== null
    }
    const p99s = async (seriesId: string) => {
      const [history] = await getSeriesHistories(await toRead(id), [seriesId])
      return history?.points.map(({ figures, judgedBy }) => [figures.p99Ms, judgedBy])
    }
    const metric = findMetric('p99')
    if (metric === null) throw new Error('p99 is a metric')
    const trend = async (seriesId: string) => {
      const trends = await getTrends(await toRead(id), { seriesIds: [seriesId], metrics: [metric], runs: 500 })
      return trends.get(metric)?.flatMap((one) => one.trends.flatMap(({ points }) => points.map(({ value }) => value)))
    }
    return { granted, id, save, evaluate, p99s, trend }
  }

  it('read the figures after the warm-up, in points, trends and judgements, until the setting is reverted', async () => {
    const { granted, id, save, evaluate, p99s, trend } = await setUp()
    const first = await save(1, steady(40))
    const { id: second, seriesId } = await save(2, always)
    expect(await p99s(seriesId)).toEqual([
      [80.125, undefined],
      [80.125, undefined],
    ])
    expect(await trend(seriesId)).toEqual([80.125, 80.125])
    await evaluate(seriesId)
    const judged = async (runId: string) => (await getRun(await toRead(id), runId)).judgement
    expect((await judged(first.id))?.judgedBy).toBe('whole')
    expect(await evaluate(seriesId)).toBe(false)

    expect((await editProject(granted, { judgedWindow: 'steady' })).judgedWindow).toBe('steady')
    expect(await p99s(seriesId)).toEqual([
      [40, 'steady'],
      [80.125, 'steady'],
    ])
    expect(await trend(seriesId)).toEqual([40, 80.125])
    expect(await evaluate(seriesId)).toBe(true)
    expect((await judged(first.id))?.metrics).toContainEqual(expect.objectContaining({ metricId: 'p99', value: 40 }))
    expect((await judged(second))?.judgedBy).toBe('steady')
    expect((await getRun(await toRead(id), first.id)).figures.p99Ms).toBe(80.125)
    await editProject(granted, { judgedWindow: 'steady', name: 'the same' })
    expect(await evaluate(seriesId)).toBe(false)

    await editProject(granted, { judgedWindow: 'whole' })
    expect(await evaluate(seriesId)).toBe(true)
    expect(await trend(seriesId)).toEqual([80.125, 80.125])
    expect((await judged(first.id))?.judgedBy).toBe('whole')
    expect((await getProject(localViewer, granted.slug)).judgedWindow).toBe('whole')
  })

  it('use whole runs while one of them has no steady part, and say so', async () => {
    const { granted, id, save, evaluate, p99s, trend } = await setUp()
    await editProject(granted, { judgedWindow: 'steady' })
    const { seriesId } = await save(1, steady(40))
    expect(await trend(seriesId)).toEqual([40])
    const restless = await save(2, never)
    expect(await p99s(seriesId)).toEqual([
      [80.125, 'mixed'],
      [80.125, 'mixed'],
    ])
    expect(await trend(seriesId)).toEqual([80.125, 80.125])
    await evaluate(seriesId)
    expect((await getRun(await toRead(id), restless.id)).judgement?.judgedBy).toBe('mixed')
    await updateRun(await toEdit(id), restless.id, { counted: false })
    expect(await p99s(seriesId)).toEqual([[40, 'steady']])
    await save(3, null)
    expect((await p99s(seriesId))?.[0]).toEqual([80.125, 'mixed'])
  })

  it('judge candidates, which do not decide the window', async () => {
    const { granted, id, save, evaluate, p99s } = await setUp()
    await editProject(granted, { judgedWindow: 'steady' })
    const { seriesId } = await save(1, steady(40))
    const sound = await save(2, steady(41), true)
    const restless = await save(3, never, true)
    expect(await p99s(seriesId)).toEqual([[40, 'steady']])
    const points = await getRunPoints(await toRead(id), [sound.id, restless.id])
    expect(points.map(({ figures, judgedBy }) => [figures.p99Ms, judgedBy])).toEqual([
      [41, 'steady'],
      [null, 'unsteady'],
    ])
    await evaluate(seriesId)
    const said = await Promise.all(
      [sound, restless].map(async (run) => (await getRun(await toRead(id), run.id)).judgement),
    )
    expect(said.map((one) => one?.judgedBy)).toEqual(['steady', 'unsteady'])
    await editProject(granted, { judgedWindow: 'whole' })
    await evaluate(seriesId)
    expect((await getRun(await toRead(id), sound.id)).judgement?.judgedBy).toBe('whole')
  })
})
