import { expect, it } from 'vitest'
import { HeaderFigures } from '../../../importers/headers/header-figures'
import { buildResultsRun } from '@/importers/vegeta/results-run'
import { batchRows, SampleBatch } from '@/importers/rows/sample-batch'
import { Samples } from '@/importers/samples/samples'
import { barsOf } from '@/lib/stats/histogram'
import type { ImportedRun } from '@/lib/run/run'
import { localViewer } from '@/lib/viewer'
import { database } from '@/prisma/db'
import { getRun } from '@/prisma/queries/runs/runs'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { sampleImport, sampleProject, sampleRun, toRead } from '../samples'

const requests = 1_000_000

/** A million requests in 100 s: lognormal around 5 ms, slow ones up to 2 s, 1 % failed. */
async function millionRequests(): Promise<ImportedRun> {
  let state = 42
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  const samples = new Samples()
  const batch = new SampleBatch()
  for (let row = 0; row < requests; row++) {
    if (batch.size === batchRows) samples.add(batch)
    const at = batch.size++
    const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
    batch.latencyNs[at] = Math.round(random() < 0.002 ? 2e8 + random() * 1.8e9 : 5e6 * Math.exp(0.5 * normal))
    batch.seconds[at] = 1_795_226_400 + Math.floor(row / 10_000)
    batch.nanos[at] = (row % 10_000) * 100_000
    batch.codes[at] = random() < 0.01 ? 0 : 200
    batch.bytesIn[at] = 512
    batch.bytesOut[at] = 0
    batch.targets[at] = -1
  }
  samples.add(batch)
  const noTexts = { form: 'vegeta-csv', toolVersion: null, decodeText: String, decodeError: String }
  const run = await buildResultsRun(samples, new HeaderFigures(), true, {
    ...noTexts,
    decodeTarget: () => ({ method: null, url: null }),
  })
  const { lines: _, name: __, ...fields } = run
  return sampleRun(fields)
}

const built = millionRequests()

describeOnEngines('a run of a million results', () => {
  it('takes less than 16 kB apart from its raw upload, and still has its successes', async () => {
    const { id: projectId } = await sampleProject()
    const run = await built
    const file = { encoding: null, lineCount: null, runs: [run], problems: [], cellNotes: [] }
    const [saved] = (await saveImport(localViewer, sampleImport(projectId, file))).runs
    const runId = saved?.id ?? ''
    const [size] = await database().$queryRaw<{ bytes: number }[]>`
      select ((select pg_column_size(run.*) from run where id = ${runId})
        + (select sum(pg_column_size(histogram.*)) from histogram where run_id = ${runId}))::int as bytes`
    expect(size?.bytes).toBeGreaterThan(9_000)
    expect(size?.bytes).toBeLessThan(16_000)
    const stored = await getRun(await toRead(projectId), runId)
    expect(stored.imported.latencies.map(({ of }) => of)).toEqual(['all', 'success', 'failure'])
    stored.imported.latencies.forEach(({ histogram }, index) => {
      const own = run.latencies[index]?.histogram
      if (!histogram || !own) throw new Error('a histogram is missing')
      expect(barsOf(histogram, 'log', 200)).toEqual(barsOf(own, 'log', 200))
    })
  })
})
