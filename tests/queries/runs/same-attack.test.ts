import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { importFile } from '@/importers/index'
import type { StoredRun } from '@/lib/history/stored-runs'
import { localViewer } from '@/lib/viewer'
import { deleteRun, getRun } from '@/prisma/queries/runs/runs'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { runsBeside } from '../runs-beside'
import { sampleImport, sampleProject, toEdit, toRead } from '../samples'

async function save(projectId: string, fixture: string): Promise<StoredRun> {
  const bytes = readFileSync(path.join(import.meta.dirname, '../../fixtures', fixture))
  const file = await importFile(
    (async function* () {
      yield bytes
    })(),
  )
  const [run] = (await saveImport(localViewer, sampleImport(projectId, file))).runs
  if (run === undefined) throw new Error('nothing was saved')
  return getRun(await toRead(projectId), run.id)
}

const idsOf = async (run: StoredRun) => (await runsBeside(run)).sameAttack.map(({ id }) => id)

describeOnOneEngine('the same attack in several forms', () => {
  it('is found from either side: raw results of vegeta, and its report and histogram', async () => {
    const { id } = await sampleProject()
    const exact = await save(id, 'vegeta-csv/v6.csv')
    const text = await save(id, 'vegeta-text/attack-13-6.3.0.txt')
    const histogram = await save(id, 'vegeta-hist/v6.txt')
    const stranger = await save(id, 'vegeta-hist/brackets.txt')
    expect(await idsOf(text)).toEqual([exact.id])
    expect(await idsOf(histogram)).toEqual([exact.id])
    expect(await idsOf(exact)).toEqual([histogram.id, text.id])
    expect(await idsOf(stranger)).toEqual([])
    await deleteRun(await toEdit(id), text.id)
    expect(await idsOf(exact)).toEqual([histogram.id])
    const other = await sampleProject()
    expect(await idsOf(await save(other.id, 'vegeta-text/attack-13-6.3.0.txt'))).toEqual([])
  })

  it("is found from either side: hey's CSV and its report", async () => {
    const { id } = await sampleProject()
    const text = await save(id, 'hey-text/doubled-percent.txt')
    await save(id, 'hey-text/ten-thousand.txt')
    expect(await idsOf(text)).toEqual([])
    const exact = await save(id, 'hey-csv/doubled-percent.csv')
    expect(await idsOf(text)).toEqual([exact.id])
    expect(await idsOf(exact)).toEqual([text.id])
  })
})
