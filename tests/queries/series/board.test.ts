import { expect, it } from 'vitest'
import { evaluateDue } from '@/app/_server/alerts/evaluate-series'
import { NotFoundError } from '@/lib/errors'
import { findMetric } from '@/lib/run/metrics'
import { localViewer } from '@/lib/viewer'
import {
  listBoard,
  newestOfSeries,
  listBoardRuns,
  listFanRuns,
  readPastJudgements,
} from '@/prisma/queries/series/board'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toRead } from '../samples'

const p99 = findMetric('p99')
if (p99 === null) throw new Error('a metric')

const day = (at: number) => `2025-01-${String(at).padStart(2, '0')}T00:00:00.000Z`
const runOn = (at: number, variant: string, ms: number, fields: Parameters<typeof sampleRun>[0] = {}) =>
  sampleRun({
    startedAt: day(at),
    errors: [],
    requests: 20_000,
    durationMs: 60_000,
    latencies: [
      sampleLatency({
        quantiles: [
          { q: 0.5, ms: ms / 3 },
          { q: 0.99, ms },
        ],
        maxMs: 3 * ms,
      }),
    ],
    ...fields,
    proposal: { scenario: 'GET /ping', variant, labels: { commit: `c${at}` } },
  })

async function save(projectId: string, run: ReturnType<typeof runOn>, candidate = false) {
  const input = sampleImport(projectId, sampleFile([run]), { names: { candidate } })
  const [saved] = (await saveImport(localViewer, input)).runs
  if (saved === undefined) throw new Error('a run was saved')
  return saved
}

describeOnOneEngine('the board', () => {
  it('has each series with its newest counted run', async () => {
    const { id: projectId, slug } = await sampleProject()
    const a = await save(projectId, runOn(1, 'a', 100))
    const newest = await save(projectId, runOn(2, 'a', 101))
    const candidate = await save(projectId, runOn(3, 'a', 150), true)
    const b = await save(projectId, runOn(1, 'b', 50))
    const lone = await save(projectId, runOn(4, 'c', 50), true)

    const board = await listBoard(await toRead(projectId))
    expect(board.map(({ variant, newest: own, later }) => [variant, own?.runId ?? null, later])).toEqual([
      ['c', null, { runId: lone.id, isCandidate: true }],
      ['a', newest.id, { runId: candidate.id, isCandidate: true }],
      ['b', b.id, null],
    ])
    expect(board[1]).toMatchObject({
      projectSlug: slug,
      scenario: 'GET /ping',
      newest: { commit: 'c2', orderedAt: day(2), uploadId: newest.uploadId },
    })
    expect(await newestOfSeries(await toRead(projectId), a.seriesId)).toBe(newest.id)
    expect(await newestOfSeries(await toRead(projectId), lone.seriesId)).toBeNull()
  })

  it('reads the judgements of runs, and the expected ranges of past ones', async () => {
    const { id: projectId } = await sampleProject()
    const saved: Awaited<ReturnType<typeof save>>[] = []
    for (let at = 1; at <= 12; at += 1) {
      const ms = at === 10 ? 150 : 100 + Math.sin(at * 2.4)
      saved.push(await save(projectId, runOn(at, 'a', ms)))
    }
    await evaluateDue()
    const [seriesId, odd, last] = [saved[0]?.seriesId ?? '', saved[9]?.id ?? '', saved[11]?.id ?? '']

    const runs = await listBoardRuns(await toRead(projectId), [last, odd])
    expect(runs.get(odd)?.judged?.state).toBe('unusual')
    expect(runs.get(last)?.judgement).toMatchObject({ state: 'as-expected', metricId: 'p99' })

    const asked = { metric: p99, sinceOf: new Map([[seriesId, day(1)]]), runIds: [last] }
    const past = await readPastJudgements(await toRead(projectId), asked)
    expect([...past.outside]).toEqual([odd])
    const expected = past.expected.get(last)
    expect(expected).toEqual(runs.get(last)?.judgement?.metrics.find(({ metricId }) => metricId === 'p99'))
    expect(expected?.expectedLow).toBeLessThan(100)
    expect(expected?.expectedHigh).toBeGreaterThan(100)
    const later = await readPastJudgements(await toRead(projectId), {
      ...asked,
      sinceOf: new Map([[seriesId, day(11)]]),
      runIds: [],
    })
    expect(later).toEqual({ outside: new Set(), expected: new Map() })

    const fan = await listFanRuns(await toRead(projectId), [odd, last])
    expect(fan.get(odd)).toMatchObject({ maxMs: 450, requests: 20_000 })
    expect(fan.get(odd)?.quantiles).toEqual([
      { q: 0.5, ms: 50 },
      { q: 0.99, ms: 150 },
    ])
  })

  it('returns nothing from another project', async () => {
    const [own, other] = [await sampleProject(), await sampleProject()]
    const foreign = await save(other.id, runOn(1, 'a', 100))
    expect(await listBoard(await toRead(own.id))).toEqual([])
    expect(await listBoardRuns(await toRead(own.id), [foreign.id])).toEqual(new Map())
    expect(await listFanRuns(await toRead(own.id), [foreign.id, 'nonsense'])).toEqual(new Map())
    expect(await newestOfSeries(await toRead(own.id), foreign.seriesId)).toBeNull()
    await expect(newestOfSeries(await toRead(own.id), 'nonsense')).rejects.toThrow(NotFoundError)
    await expect(toRead(foreign.id)).rejects.toThrow(NotFoundError)
  })
})
