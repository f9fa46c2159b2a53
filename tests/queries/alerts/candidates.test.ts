import { expect, it } from 'vitest'
import { judgeInTime } from '@/app/_server/alerts/judge-upload'
import type { GateVerdict } from '@/lib/gate/gate'
import { settlingRepeats } from '@/lib/gate/repeats'
import { localViewer } from '@/lib/viewer'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { normal } from '../../server/planted-history'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun } from '../samples'

const levels = { 'GET /cart': 20, 'GET /search': 80 }
const draws = normal(3)

interface Asked {
  readonly candidate: boolean
  readonly factor?: number
  readonly wait?: number
  readonly repeat?: number
  readonly hour?: number
}

/** One upload with a run of each scenario, of one commit, minutes apart, judged as a build. */
async function build(projectId: string, night: number, asked: Asked): Promise<GateVerdict> {
  const { candidate, factor = 1, wait = 1, repeat = 0, hour = 20 } = asked
  const runs = Object.entries(levels).map(([scenario, level], at) => {
    const ms = level * factor * Math.exp(0.02 * draws.next().value)
    return sampleRun({
      startedAt: new Date(Date.UTC(2026, 9, 1, hour, 5 * at) + night * 86_400_000).toISOString(),
      latencies: [sampleLatency({ meanMs: null, quantiles: [{ q: 0.99, ms }] })],
      proposal: { scenario, labels: { commit: `c${night}` } },
    })
  })
  const saved = await saveImport(localViewer, sampleImport(projectId, sampleFile(runs), { names: { candidate } }))
  const wanted = { projectId, uploadId: saved.upload.id, runs: saved.runs, wait, repeat, strict: false }
  const verdict = await judgeInTime(localViewer, wanted, 60_000)
  if (verdict === null) throw new Error('there is no verdict')
  return verdict
}

describeOnOneEngine('candidates of one upload', () => {
  it('are repeats in their own series only, though they are of one commit', async () => {
    const { id: projectId } = await sampleProject()
    for (let night = 0; night < 10; night += 1) await build(projectId, night, { candidate: false })
    const waiting = { candidate: true, wait: 2 }
    expect(await build(projectId, 10, waiting)).toMatchObject({ result: 'waiting', missing: 1 })
    expect(await build(projectId, 10, { ...waiting, hour: 21 })).toMatchObject({ result: 'passed' })
    const said: (readonly [string, number])[] = []
    for (const factor of [1.5, 1, 1, 1]) {
      const asked = { candidate: true, repeat: settlingRepeats, factor, hour: 10 + said.length }
      const { result, missing } = await build(projectId, 12, asked)
      said.push([result, missing])
    }
    expect(said).toEqual([
      ['repeat', 3],
      ['repeat', 2],
      ['repeat', 1],
      ['passed', 0],
    ])
  })
})
