import { describe, expect, it } from 'vitest'
import { NotFoundError } from '@/lib/errors'
import type { ImportedRun } from '@/lib/run/run'
import { localViewer } from '@/lib/viewer'
import { listCellNotes } from '@/prisma/queries/projects/cell-notes'
import { deleteRun, getRun, listRuns, moveRun, updateRun } from '@/prisma/queries/runs/runs'
import { findNeededRaws } from '@/prisma/queries/installation/sweeps'
import {
  createDraft,
  deleteUpload,
  findSavedUploadBySentSha256,
  getUpload,
  replaceUploadRuns,
  restoreUpload,
  saveDraft,
  saveImport,
} from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const firstPage = { sort: 'time', direction: 'desc', limit: 50 } as const
const named = (scenario: string, fields: Partial<ImportedRun> = {}) => sampleRun({ ...fields, proposal: { scenario } })

describeOnEngines('deleting and re-importing an upload', () => {
  const history = async (projectId: string) => (await listRuns(await toRead(projectId), {}, firstPage)).rows

  describe('trash', () => {
    it('takes the runs of an upload with it and restores only those', async () => {
      const project = await sampleProject()
      const input = sampleImport(project.id, sampleFile([named('A'), named('B')]))
      const { upload, runs } = await saveImport(localViewer, input)
      const [a, b] = runs.map((run) => run.id)
      await deleteRun(await toEdit(project.id), a ?? '')
      await deleteUpload(await toEdit(project.id), upload.id)
      expect(await history(project.id)).toEqual([])
      await expect(getRun(await toRead(project.id), b ?? '')).rejects.toThrow(NotFoundError)
      await expect(getUpload(await toRead(project.id), upload.id)).rejects.toThrow(NotFoundError)
      await expect(deleteUpload(await toEdit(project.id), upload.id)).rejects.toThrow(NotFoundError)
      expect(await findSavedUploadBySentSha256(await toRead(project.id), input.sentSha256)).toBeNull()
      expect(await findNeededRaws([input.storedSha256])).toContain(input.storedSha256)
      await restoreUpload(await toEdit(project.id), upload.id)
      expect((await history(project.id)).map((run) => run.id)).toEqual([b])
    })
  })

  describe('replaceUploadRuns', () => {
    it('keeps ids, edits and trash, adds new runs, trashes missing ones and restores them', async () => {
      const project = await sampleProject()
      const first = sampleFile([named('A'), named('B'), named('C'), named('D')])
      const draft = await createDraft(localViewer, sampleImport(project.id, first, { labels: { sent: 'yes' } }))
      const uploadId = draft.id
      const saved = await saveDraft(await toEdit(project.id), { uploadId, edits: [{}, {}, { include: false }] })
      const [a, b, d] = saved.map((run) => run.id)
      await updateRun(await toEdit(project.id), a ?? '', { scenario: 'Mine', notes: 'kept' })
      await deleteRun(await toEdit(project.id), b ?? '')

      const better = (scenario: string) =>
        sampleRun({ proposal: { scenario, labels: { read: 'better' } }, latencies: [sampleLatency()], requests: 7 })
      const file = sampleFile([better('A*'), better('B*'), better('C*'), better('D*'), better('E*')])
      const runs = await replaceUploadRuns(await toEdit(project.id), { uploadId, file })
      expect(runs.map((run) => [run.indexInUpload, run.scenario])).toEqual([
        [0, 'Mine'],
        [3, 'D*'],
        [4, 'E*'],
      ])
      expect(runs.map((run) => run.id).slice(0, 2)).toEqual([a, d])
      expect(runs[0]).toMatchObject({ labels: { read: 'better', sent: 'yes' }, figures: { requests: 7, p50Ms: 2.25 } })
      expect((await getRun(await toRead(project.id), a ?? '')).notes).toBe('kept')

      const less = await replaceUploadRuns(await toEdit(project.id), { uploadId, file: sampleFile([named('A')]) })
      expect(less.map((run) => run.id)).toEqual([a])
      const back = await replaceUploadRuns(await toEdit(project.id), { uploadId, file })
      expect(back.map((run) => run.id)).toEqual(runs.map((run) => run.id))
      const labelled = await listRuns(await toRead(project.id), { labels: { read: 'better' } }, firstPage)
      expect(labelled.rows).toHaveLength(3)
    })

    it('leaves moved runs where they are', async () => {
      const [project, other] = [await sampleProject(), await sampleProject()]
      const { upload, runs } = await saveImport(
        localViewer,
        sampleImport(project.id, sampleFile([named('A'), named('B')])),
      )
      const moved = runs[1]?.id ?? ''
      const row = await moveRun(await toEdit(project.id), { runId: moved, toProjectSlug: other.slug })
      expect(row).toMatchObject({ id: moved, projectId: other.id, projectSlug: other.slug })
      const file = sampleFile([named('A2'), named('B2'), named('C2')])
      const here = await replaceUploadRuns(await toEdit(project.id), { uploadId: upload.id, file })
      expect(here.map((run) => run.scenario)).toEqual(['A2', 'C2'])
      expect((await history(other.id)).map((run) => run.scenario)).toEqual(['B'])
      const there = await replaceUploadRuns(await toEdit(other.id), { uploadId: row.uploadId, file })
      expect(there.map((run) => [run.id, run.scenario])).toEqual([[moved, 'B2']])
      const raw = await getUpload(await toRead(other.id), row.uploadId)
      expect(raw).toMatchObject({ storedSha256: upload.storedSha256, projectId: other.id })
      const home = await moveRun(await toEdit(other.id), { runId: moved, toProjectSlug: project.slug })
      expect(home.uploadId).toBe(upload.id)
      expect(await history(project.id)).toHaveLength(3)
    })
  })

  it('makes notes of empty cells follow renamed scenarios, and replaces them on re-import', async () => {
    const project = await sampleProject()
    const note = (scenario: string, text: string) => ({ scenario, variant: 'Direct', environment: null, text, line: 5 })
    const file = sampleFile([named('Echo')], { cellNotes: [note('Echo', 'not possible: 6 MB limit')] })
    const draft = await createDraft(localViewer, sampleImport(project.id, file))
    const own = await toEdit(project.id)
    expect(await listCellNotes(own)).toEqual([])
    await saveDraft(own, { uploadId: draft.id, edits: [{ scenario: 'Echo 9 MB' }] })
    expect(await listCellNotes(own)).toMatchObject([
      { scenario: 'Echo 9 MB', variant: 'Direct', text: 'not possible: 6 MB limit', line: 5, uploadId: draft.id },
    ])
    const better = sampleFile([named('Echo')], { cellNotes: [note('Echo', 'not possible'), note('Other', 'n/a')] })
    await replaceUploadRuns(own, { uploadId: draft.id, file: better })
    expect((await listCellNotes(own)).map((found) => [found.scenario, found.text])).toEqual([
      ['Echo 9 MB', 'not possible'],
      ['Other', 'n/a'],
    ])
    await deleteUpload(own, draft.id)
    expect(await listCellNotes(own)).toEqual([])
  })
})
