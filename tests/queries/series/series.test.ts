import { expect, it } from 'vitest'
import { InvalidInputError, NotFoundError } from '@/lib/errors'
import { localViewer } from '@/lib/viewer'
import { isBarred } from '@/lib/run/guard'
import type { RunFilter } from '@/lib/history/run-list'
import { deleteRun, getRun, listRuns, updateRun } from '@/prisma/queries/runs/runs'
import { getSeriesHistories, listKnownNames, listSeries } from '@/prisma/queries/series/series'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { runsBeside } from '../runs-beside'
import { describeOnEngines } from '../engines'
import {
  sampleFile,
  sampleImport,
  sampleLatency,
  sampleProject,
  sampleRun,
  type SampleRun,
  toEdit,
  toRead,
} from '../samples'

const day = (at: number) => `2025-01-${String(at).padStart(2, '0')}T00:00:00.000Z`

/** Uploads one run a day; each value is its p99 in ms. */
async function saveDays(projectId: string, variant: string | null, p99s: readonly number[]) {
  const runs = p99s.map((ms, at) =>
    sampleRun({
      startedAt: day(at + 1),
      requestsPerSecond: 1000,
      latencies: [sampleLatency({ quantiles: [{ q: 0.99, ms }] })],
      proposal: { scenario: 'GET /ping', variant, labels: { commit: `c${at}` } },
    }),
  )
  return (await saveImport(localViewer, sampleImport(projectId, sampleFile(runs)))).runs
}

describeOnEngines('series', () => {
  it('contain the runs with the same names, whichever code wrote them', async () => {
    const { id: projectId, slug } = await sampleProject()
    const direct = await saveDays(projectId, 'direct', [10, 11, 12])
    const plain = await saveDays(projectId, null, [5])
    const again = await saveDays(projectId, null, [6])
    expect(new Set(direct.map((run) => run.seriesId)).size).toBe(1)
    expect(again[0]?.seriesId).toBe(plain[0]?.seriesId)
    expect(plain[0]?.seriesId).not.toBe(direct[0]?.seriesId)

    const listed = await listSeries(await toRead(projectId))
    expect(listed.map((one) => one.variant)).toEqual(['direct', null])
    expect(await listSeries(await toRead(projectId), { scenario: 'other' })).toEqual([])

    const [history] = await getSeriesHistories(await toRead(projectId), [direct[0]?.seriesId ?? ''], 2)
    expect(history).toMatchObject({ projectSlug: slug, scenario: 'GET /ping', variant: 'direct', environment: null })
    expect(history?.points.map((point) => [point.orderedAt, point.figures.p99Ms, point.labels])).toEqual([
      [day(2), 11, { commit: 'c1' }],
      [day(3), 12, { commit: 'c2' }],
    ])
    const stored = await getRun(await toRead(projectId), direct[2]?.id ?? '')
    expect(history?.points[1]?.figures).toEqual(stored.figures)
  })

  it('list the names that a project knows, those with the most runs first', async () => {
    const { id: projectId } = await sampleProject()
    expect(await listKnownNames(await toRead(projectId))).toEqual({
      scenarios: [],
      variants: [],
      environments: [],
      isPart: false,
    })
    await saveDays(projectId, 'direct', [10, 11])
    await saveDays(projectId, 'dispatcher', [10, 11, 12])
    await saveDays(projectId, null, [10])
    expect(await listKnownNames(await toRead(projectId))).toEqual({
      scenarios: [{ name: 'GET /ping', runCount: 6 }],
      variants: [
        { name: 'dispatcher', runCount: 3 },
        { name: 'direct', runCount: 2 },
      ],
      environments: [],
      isPart: false,
    })
  })

  it('exclude invalid runs until a person counts them, and candidates always', async () => {
    const { id: projectId } = await sampleProject()
    const [first] = await saveDays(projectId, 'a', [1])
    const proposal = { scenario: 'GET /ping', variant: 'a' }
    const save = async (fields: SampleRun, candidate: boolean) => {
      const file = sampleFile([sampleRun({ ...fields, requests: 1_000, proposal })])
      const [run] = (await saveImport(localViewer, sampleImport(projectId, file, { names: { candidate } }))).runs
      if (run === undefined) throw new Error('a run was saved')
      return run
    }
    const latencies = [sampleLatency({ quantiles: [{ q: 0.5, ms: 7 }] })]
    const short = await save({ startedAt: day(2), durationMs: 400, latencies }, false)
    const ofPullRequest = await save({ startedAt: day(3), durationMs: 60_000, latencies }, true)
    const points = async () => {
      const [history] = await getSeriesHistories(await toRead(projectId), [first?.seriesId ?? ''])
      return history?.points ?? []
    }
    expect(short.judged).toMatchObject({
      state: 'invalid',
      sentence: expect.stringMatching(/^Too short to judge: /) as string,
    })
    expect((await points()).map(({ runId }) => runId)).toEqual([first?.id])

    const counted = await updateRun(await toEdit(projectId), short.id, { counted: true })
    expect(counted.judged).toBeNull()
    expect(counted.guards.map(({ code }) => code)).not.toContain('too-short')
    const [, joined] = await points()
    expect(joined).toMatchObject({ runId: short.id, figures: { p50Ms: 7 } })
    expect(joined && isBarred(joined.guards, 'mean')).toBe(false)

    const asked = { sort: 'time', direction: 'desc', limit: 50 } as const
    const listed = async (filter: RunFilter) =>
      (await listRuns(await toRead(projectId), filter, asked)).rows.map(({ id }) => id)
    expect(await listed({})).toContain(ofPullRequest.id)
    expect(await listed({ withoutCandidates: true })).not.toContain(ofPullRequest.id)
    const last = await save({ startedAt: day(4), durationMs: 60_000, latencies }, false)
    expect((await runsBeside(last)).previous?.id).toBe(short.id)
    const out = await updateRun(await toEdit(projectId), last.id, { counted: false })
    expect(out.judged?.sentence).toBe('Taken out of its series manually.')
    expect((await points()).map(({ runId }) => runId)).toEqual([first?.id, short.id])
  })

  it('have no history for a first run that is only too short, and call it invalid once there is one', async () => {
    const { id: projectId } = await sampleProject()
    const save = async (at: number, fields: SampleRun) => {
      const proposal = { scenario: 'GET /quick' }
      const file = sampleFile([sampleRun({ startedAt: day(at), durationMs: 400, requests: 200, proposal, ...fields })])
      const [run] = (await saveImport(localViewer, sampleImport(projectId, file))).runs
      if (run === undefined) throw new Error('a run was saved')
      return run
    }
    const sentence = 'Too short to judge: 400\u00a0ms. Run for 10\u00a0s or more, or count it all the same.'
    const first = await save(1, {})
    expect(first.judged).toEqual({ state: 'no-history', sentence })
    expect((await getRun(await toRead(projectId), first.id)).judgement).toMatchObject({ state: 'no-history', sentence })
    const renamed = await updateRun(await toEdit(projectId), first.id, { notes: 'a first try' })
    expect(renamed.judged?.state).toBe('no-history')
    expect((await save(2, {})).judged?.state).toBe('no-history')
    expect((await save(3, { complete: false })).judged?.state).toBe('invalid')
    await save(4, { durationMs: 60_000 })
    expect((await save(5, {})).judged).toEqual({ state: 'invalid', sentence })
    const counted = await updateRun(await toEdit(projectId), first.id, { counted: true })
    expect(counted.judged).toBeNull()
  })

  it('follow a renamed run, and exclude trashed and truncated ones', async () => {
    const { id: projectId } = await sampleProject()
    const [first, second, third] = await saveDays(projectId, 'a', [1, 2, 3])
    if (!first || !second || !third) throw new Error('three runs were saved')
    const renamed = await updateRun(await toEdit(projectId), second.id, { variant: 'b' })
    expect(renamed.seriesId).not.toBe(first.seriesId)
    await deleteRun(await toEdit(projectId), third.id)
    const cut = sampleRun({ startedAt: day(9), complete: false, proposal: { scenario: 'GET /ping', variant: 'a' } })
    await saveImport(localViewer, sampleImport(projectId, sampleFile([cut])))
    const histories = await getSeriesHistories(await toRead(projectId), [renamed.seriesId, first.seriesId])
    expect(histories.map((one) => one.points.map((point) => point.runId))).toEqual([[second.id], [first.id]])
  })

  it('are not found in another project', async () => {
    const { id: projectId } = await sampleProject()
    const other = await sampleProject()
    const [run] = await saveDays(other.id, null, [1])
    await expect(getSeriesHistories(await toRead(projectId), [run?.seriesId ?? ''])).rejects.toThrow(NotFoundError)
    await expect(getSeriesHistories(await toRead(projectId), ['x'])).rejects.toThrow(NotFoundError)
    await expect(getSeriesHistories(await toRead(projectId), [], 3_000)).rejects.toThrow(InvalidInputError)
  })
})
