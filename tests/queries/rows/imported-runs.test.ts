import { expect, it } from 'vitest'
import { localViewer } from '@/lib/viewer'
import { getRun, updateRun } from '@/prisma/queries/runs/runs'
import { replaceUploadRuns, saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const bucketsOf = (count: number) => {
  return { kind: 'buckets', inclusive: 'upper', buckets: [{ lowerMs: 0, upperMs: 10, count }] } as const
}

const measured = (count: number) => {
  return sampleRun({ requests: count, latencies: [sampleLatency({ count, histogram: bucketsOf(count) })] })
}

describeOnEngines('the imported part of a run', () => {
  const saved = async () => {
    const project = await sampleProject()
    const { upload, runs } = await saveImport(localViewer, sampleImport(project.id, sampleFile([measured(7)])))
    const id = runs[0]?.id ?? ''
    const read = async () => getRun(await toRead(project.id), id)
    const replace = async (count: number) =>
      replaceUploadRuns(await toEdit(project.id), { uploadId: upload.id, file: sampleFile([measured(count)]) })
    return { project, id, read, replace }
  }

  it('is read once, until the run is written', async () => {
    const { project, id, read } = await saved()
    const first = await read()
    expect((await read()).imported).toBe(first.imported)
    const edited = await updateRun(await toEdit(project.id), id, { notes: 'seen' })
    expect(edited.imported).toEqual(first.imported)
    const after = await read()
    expect(after.notes).toBe('seen')
    expect(after.imported).not.toBe(first.imported)
    expect(after.imported).toEqual(first.imported)
  })

  it('comes from the newest import, including histograms', async () => {
    const { read, replace } = await saved()
    for (const count of [7, 8, 9]) {
      await replace(count)
      const { imported } = await read()
      expect(imported.requests).toBe(count)
      expect(imported.latencies[0]?.histogram).toEqual(bucketsOf(count))
    }
  })

  it('comes from the last import, however many readers there are while imports replace each other', async () => {
    const { read, replace } = await saved()
    const last = 14
    const writes = (async () => {
      for (let count = 10; count <= last; count += 1) await replace(count)
    })()
    const reads = (async () => {
      for (let at = 0; at < 25; at += 1) await read()
    })()
    await Promise.all([writes, reads])
    const { imported } = await read()
    expect(imported.requests).toBe(last)
    expect(imported.latencies[0]?.histogram).toEqual(bucketsOf(last))
  })
})
