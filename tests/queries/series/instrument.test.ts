import { expect, it } from 'vitest'
import { importFile } from '@/importers/index'
import { instrumentOf } from '@/lib/instrument/instrument'
import { orderOf } from '@/lib/experiment/order'
import { localViewer } from '@/lib/viewer'
import { createExperiment } from '@/prisma/queries/projects/experiments'
import { grant } from '@/prisma/queries/projects/projects'
import { listInstrumentRuns } from '@/prisma/queries/series/instrument'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { SimulatedMachine } from '../../lib/experiment/simulated-machine'
import { heyText } from '../../server/feed-series'
import { describeOnEngines } from '../engines'
import { sampleImport, sampleProject } from '../samples'

describeOnEngines('the instrument of an environment', () => {
  it('is read from experiments with a control, planned here or elsewhere, of that environment alone', async () => {
    const own = await grant(localViewer, await sampleProject(), 'edit')
    const machine = new SimulatedMachine({ seed: 3, noise: 'normal', deviation: 0.01 })
    const plan = { question: 'Q', base: 'a', head: 'b', hasControl: true, smallestRatio: 0.05, maxRounds: 12 }
    const planned = (await createExperiment(own, { ...plan, metricId: 'mean' })).experiment.id
    const ids = [planned, ...Array.from({ length: 8 }, (_, at) => `elsewhere-${at}`)]
    let minutes = 0
    const send = async (labels: Record<string, string>, value: number, environment: string) => {
      const bytes = Buffer.from(heyText(value))
      const file = await importFile(
        (async function* () {
          yield bytes
        })(),
      )
      const startedAt = new Date(Date.UTC(2026, 9, 1) + (minutes += 1) * 60_000).toISOString()
      const given = { labels, names: { environment, startedAt } }
      await saveImport(localViewer, { ...sampleImport(own.id, file, given), again: true })
    }
    for (const experiment of ids)
      for (let round = 1; round <= 5; round += 1) {
        const order = orderOf(['base', 'head', 'control'], experiment, round)
        const { values = {} } = machine.round(order, { head: 0.3 }) ?? {}
        for (const arm of order) await send({ experiment, arm, round: String(round) }, values[arm] ?? 0, 'bench-1')
      }
    const runs = await listInstrumentRuns(own, 'bench-1')
    expect(runs.controls).toHaveLength(ids.length * 5 * 2)
    expect([...runs.deciding]).toContainEqual([planned, 'mean'])
    const instrument = instrumentOf(runs)
    expect(instrument).toMatchObject({ controls: 9, isCertified: true, falseAlarms: { total: 9 } })
    const [mean] = instrument.metrics.filter(({ metric }) => metric.id === 'mean')
    // Two runs of 1 % each; head is no part of it.
    expect(mean?.deviation).toBeGreaterThan(0.009)
    expect(mean?.deviation).toBeLessThan(0.022)
    expect((await listInstrumentRuns(own, 'bench-2')).controls).toEqual([])
    const other = await grant(localViewer, await sampleProject(), 'read')
    expect((await listInstrumentRuns(other, 'bench-1')).controls).toEqual([])
  })

  it('an experiment without a change that matters takes that of the project', async () => {
    const own = await grant(localViewer, await sampleProject(), 'edit')
    const asked = { question: 'Q', base: 'a', head: 'b', hasControl: true, smallestRatio: null, maxRounds: 12 }
    const { experiment } = await createExperiment(own, { ...asked, metricId: 'p99' })
    expect(experiment.smallestRatio).toBe(0.1)
    expect((await createExperiment(own, { ...asked, metricId: 'mean' })).experiment.smallestRatio).toBe(0.05)
  })
})
