import { expect, it } from 'vitest'
import { ConflictError, InvalidInputError, NotFoundError } from '@/lib/errors'
import type { ImportedRun } from '@/lib/run/run'
import { localViewer } from '@/lib/viewer'
import { getRun, listRuns } from '@/prisma/queries/runs/runs'
import { findNeededRaws, sweepDrafts } from '@/prisma/queries/installation/sweeps'
import { listUploads } from '@/prisma/queries/uploads/upload-list'
import {
  createDraft,
  deleteUpload,
  discardDraft,
  findSavedUploadBySentSha256,
  getUpload,
  saveDraft,
  saveImport,
} from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const firstPage = { sort: 'time', direction: 'desc', limit: 50 } as const
const named = (scenario: string, fields: Partial<ImportedRun> = {}) => sampleRun({ ...fields, proposal: { scenario } })

describeOnOneEngine('drafts', () => {
  const history = async (projectId: string) => (await listRuns(await toRead(projectId), {}, firstPage)).rows

  it('are invisible in the history and to duplicate detection until they are saved', async () => {
    const project = await sampleProject()
    const problem = {
      code: 'not-understood',
      severity: 'warning',
      line: 3,
      lastLine: 4,
      message: 'Huh.',
      hint: null,
    } as const
    const file = sampleFile([named('A'), named('B'), named('C')], { problems: [problem] })
    const input = sampleImport(project.id, file, { labels: { commit: 'abc' } })
    const draft = await createDraft(localViewer, input)
    expect(draft).toMatchObject({
      state: 'draft',
      name: 'bench.txt',
      sizeBytes: 1234,
      lineCount: 40,
      problems: [problem],
    })
    const given = { labels: { commit: 'abc' }, sources: { 'label:commit': 'given with the upload' } }
    expect(draft.draftRuns).toEqual(file.runs.map((run) => ({ ...run, proposal: { ...run.proposal, ...given } })))
    expect(await getUpload(await toRead(project.id), draft.id)).toEqual(draft)
    expect(await history(project.id)).toEqual([])
    expect((await listUploads(await toEdit(project.id), { limit: 10 })).uploads).toEqual([])
    expect(await findSavedUploadBySentSha256(await toRead(project.id), input.sentSha256)).toBeNull()
    expect(await findNeededRaws([input.storedSha256])).toContain(input.storedSha256)

    const edits = [
      {
        scenario: 'A2',
        labels: { commit: 'abc', branch: 'main' },
        notes: '# Take-away',
        startedAt: '2024-05-06T07:08:09Z',
      },
      { include: false },
    ]
    const runs = await saveDraft(await toEdit(project.id), { uploadId: draft.id, edits })
    expect(runs.map((run) => [run.scenario, run.indexInUpload])).toEqual([
      ['A2', 0],
      ['C', 2],
    ])
    expect(runs[0]).toMatchObject({
      startedAt: '2024-05-06T07:08:09.000Z',
      startedAtSource: 'set manually',
      labels: { branch: 'main' },
    })
    expect(runs[1]?.labels).toEqual({ commit: 'abc' })
    expect(await getUpload(await toRead(project.id), draft.id)).toMatchObject({
      state: 'saved',
      draftRuns: [],
      problems: [problem],
    })
    expect((await getRun(await toRead(project.id), runs[0]?.id ?? '')).notes).toBe('# Take-away')
    expect((await saveImport(localViewer, input)).duplicate).toBe(true)
  })

  it('are saved once, discarded once, and never half', async () => {
    const project = await sampleProject()
    const draft = await createDraft(localViewer, sampleImport(project.id, sampleFile([named('A'), named('B')])))
    const save = async (edits: Parameters<typeof saveDraft>[1]['edits']) =>
      saveDraft(await toEdit(project.id), { uploadId: draft.id, edits })
    await expect(save([{}, { scenario: 'x'.repeat(201) }])).rejects.toThrow(InvalidInputError)
    await expect(save([{ include: false }, { include: false }])).rejects.toThrow(InvalidInputError)
    await expect(save([{ startedAt: '1999-12-31T23:59:59Z' }])).rejects.toThrow(InvalidInputError)
    expect((await getUpload(await toRead(project.id), draft.id)).state).toBe('draft')
    const settled = await Promise.allSettled([save([]), save([]), save([])])
    expect(settled.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    for (const result of settled) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ConflictError)
    }
    expect(await history(project.id)).toHaveLength(2)
    await expect(discardDraft(await toEdit(project.id), draft.id)).rejects.toThrow(ConflictError)
    const other = await createDraft(localViewer, sampleImport(project.id, sampleFile([])))
    await expect(deleteUpload(await toEdit(project.id), other.id)).rejects.toThrow(ConflictError)
    await discardDraft(await toEdit(project.id), other.id)
    await expect(getUpload(await toRead(project.id), other.id)).rejects.toThrow(NotFoundError)
  })

  it('are swept by age', async () => {
    const project = await sampleProject()
    const input = sampleImport(project.id, sampleFile([named('A')]))
    const draft = await createDraft(localViewer, input)
    const saved = await saveImport(localViewer, sampleImport(project.id, sampleFile([named('A')])))
    await sweepDrafts(new Date(Date.parse(draft.createdAt) - 1))
    expect((await getUpload(await toRead(project.id), draft.id)).id).toBe(draft.id)
    expect(await sweepDrafts(new Date(Date.now() + 1))).toBeGreaterThanOrEqual(1)
    await expect(getUpload(await toRead(project.id), draft.id)).rejects.toThrow(NotFoundError)
    expect((await getUpload(await toRead(project.id), saved.upload.id)).id).toBe(saved.upload.id)
    expect(await findNeededRaws([input.storedSha256])).not.toContain(input.storedSha256)
  })
})
