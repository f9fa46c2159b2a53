import { beforeEach, expect, it } from 'vitest'
import { importFile } from '@/importers/index'
import { ConflictError, InvalidInputError, NotFoundError } from '@/lib/errors'
import { progressWords } from '@/lib/experiment/running-words'
import type { ExperimentProgress } from '@/lib/experiment/stored-experiment'
import { localViewer } from '@/lib/viewer'
import {
  createExperiment,
  getExperiment,
  giveNext,
  listExperiments,
  pageOfExperiments,
  requirePlace,
  stopExperiment,
  voidPlace,
  type NewExperiment,
  type NextRun,
} from '@/prisma/queries/projects/experiments'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { deleteRun } from '@/prisma/queries/runs/runs'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { heyText } from '../../server/feed-series'
import { describeOnEngines } from '../engines'
import { sampleImport, sampleProject } from '../samples'

const plan: NewExperiment = {
  ...{ question: 'Does caching help?', base: 'f3a91c0', head: '5c1e7d2', hasControl: true },
  ...{ metricId: 'mean', smallestRatio: 0.05, maxRounds: 12 },
}

describeOnEngines('experiments of a project', () => {
  let own: Granted<'edit'>
  let id = ''
  let sent = 0

  beforeEach(async () => {
    own = await grant(localViewer, await sampleProject(), 'edit')
    id = (await createExperiment(own, plan)).experiment.id
  })

  const next = (): Promise<NextRun> => giveNext(own, id, Date.now())
  async function upload({ round, arm }: { readonly round: number; readonly arm: string }, ms: number): Promise<string> {
    const bytes = Buffer.from(heyText(ms + (sent += 1) / 10_000))
    const file = await importFile(
      (async function* () {
        yield bytes
      })(),
    )
    const labels = { experiment: id, arm, round: String(round) }
    const { runs } = await saveImport(localViewer, { ...sampleImport(own.id, file, { labels }), again: true })
    return runs[0]?.id ?? ''
  }
  const progress = async (): Promise<ExperimentProgress> => (await getExperiment(own, id)).progress

  it('are numbered in their project, and listed newest first', async () => {
    const second = await createExperiment(own, { ...plan, question: 'Another one?' })
    expect(second.experiment.number).toBe(2)
    expect((await listExperiments(own)).map(({ question }) => question)).toEqual(['Another one?', 'Does caching help?'])
    const { experiments, next } = await pageOfExperiments(own, null)
    expect(experiments.map(({ experiment, progress }) => [experiment.number, progress.state])).toEqual([
      [2, 'running'],
      [1, 'running'],
    ])
    expect(next).toBeNull()
    expect((await pageOfExperiments(own, 2)).experiments.map(({ experiment }) => experiment.number)).toEqual([1])
    for (const wrong of [{ metricId: 'tool' }, { smallestRatio: 0 }, { maxRounds: 3 }, { question: ' ' }])
      await expect(createExperiment(own, { ...plan, ...wrong })).rejects.toThrow(InvalidInputError)
    const other = await grant(localViewer, await sampleProject(), 'edit')
    await expect(getExperiment(other, id)).rejects.toThrow(NotFoundError)
  })

  it('give each arm of a round out once, to runners that ask at once, too', async () => {
    const given = await Promise.all([next(), next(), next(), next()])
    const runs = given.flatMap((one) => (one.kind === 'run' ? [one] : []))
    expect(runs.map(({ arm }) => arm).toSorted()).toEqual(['base', 'control', 'head'])
    expect(new Set(runs.map(({ round }) => round))).toEqual(new Set([1]))
    expect(given.filter(({ kind }) => kind === 'wait')).toHaveLength(1)
    expect((await progress()).open).toMatchObject({ round: 1, arm: null })
  })

  it('end themselves, and say what they showed', async () => {
    const levels: Readonly<Record<string, number>> = { base: 100, head: 130, control: 100 }
    let last = await next()
    for (let runs = 0; last.kind === 'run' && runs < 60; runs += 1) {
      await upload(last, (levels[last.arm] ?? 0) * (1 + 0.01 * Math.sin(runs * 2.4)))
      last = await next()
    }
    if (last.kind !== 'stop') throw new Error('it did not stop')
    expect(last.progress.state).toBe('decided')
    expect(last.progress.standing).toMatchObject({ verdict: 'decided-worse', rounds: 6 })
    expect(progressWords(last.progress)).toMatchObject({ word: 'worse' })
    expect(progressWords(last.progress).sentence.replaceAll('\u00a0', ' ')).toMatch(
      /^Mean of head \+(2[6-9]|3[0-4])(\.\d)? % \(.*, decided at round 6 of 12$/,
    )
    // The order is drawn, and with it the noise of each arm. The same runs always show the same; without one of them, its round is open again.
    expect((await progress()).standing).toEqual(last.progress.standing)
    await deleteRun(own, last.progress.rounds[5]?.runIds['head'] ?? '')
    expect((await progress()).state).toBe('running')
    await expect(stopExperiment(own, id, new Date())).resolves.toMatchObject({ progress: { state: 'stopped' } })
    await expect(stopExperiment(own, id, new Date())).rejects.toThrow(ConflictError)
    expect((await next()).kind).toBe('stop')
  })

  it('repeat a round whose run failed, was another load, or never came, under a new number', async () => {
    const first = await next()
    if (first.kind !== 'run') throw new Error('nothing was given out')
    await voidPlace(own, id, { ...first, reason: 'exit 137' })
    await expect(voidPlace(own, id, { ...first, reason: 'exit 137' })).rejects.toThrow(ConflictError)
    expect((await progress()).rounds[0]).toMatchObject({ round: 1, voidReason: `${first.arm}: exit 137` })
    const second = await next()
    expect(second).toEqual({ kind: 'run', round: 2, arm: first.arm })
    const later = await giveNext(own, id, Date.now())
    expect(later).toMatchObject({ kind: 'run', round: 2 })
    await expect(requirePlace(own, { experiment: id, arm: 'head' })).resolves.toBeUndefined()
    await expect(requirePlace(own, { experiment: own.id, arm: 'head' })).rejects.toThrow(NotFoundError)
  })
})
