import { beforeEach, expect, it } from 'vitest'
import { InvalidInputError, NotFoundError } from '@/lib/errors'
import type { RunRow } from '@/lib/history/stored-runs'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { deleteRun, getRun, getRuns, listRuns } from '@/prisma/queries/runs/runs'
import { deleteRuns, destroyTrash, listTrash, restoreFromTrash, updateRuns } from '@/prisma/queries/projects/trash'
import { listUploadContents } from '@/prisma/queries/uploads/upload-list'
import { deleteUpload, replaceUploadRuns, restoreUpload, saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toRead } from '../samples'

const file = sampleFile(
  [0, 1, 2, 3].map((at) =>
    sampleRun({
      requests: at,
      latencies: [
        sampleLatency({
          histogram: { kind: 'buckets', inclusive: 'upper', buckets: [{ lowerMs: 0, upperMs: 1, count: 1 }] },
        }),
      ],
      proposal: { scenario: 'GET /', variant: `v${at}`, labels: { commit: `c${at}`, old: 'yes' } },
    }),
  ),
)
const page = { sort: 'time', direction: 'asc', limit: 200 } as const

describeOnEngines('the trash', () => {
  let granted: Granted<'administer'>
  let projectId = ''
  let uploadId = ''
  let runs: readonly RunRow[] = []
  let ids: readonly string[] = []

  beforeEach(async () => {
    granted = await grant(localViewer, await sampleProject(), 'administer')
    projectId = granted.id
    const saved = await saveImport(localViewer, sampleImport(projectId, file))
    uploadId = saved.upload.id
    runs = saved.runs
    ids = runs.map((run) => run.id)
  })
  const listed = async () => (await listRuns(await toRead(projectId), {}, page)).rows.map((run) => run.id).sort()
  const none = { runIds: [], uploadIds: [] }

  it("does not count in an upload's summary", async () => {
    const held = async () => listUploadContents(granted, [{ id: uploadId }, { id: 'x'.repeat(26) }])
    const first = { uploadId, tool: 'hey', scenario: 'GET /', variant: 'v0', commit: 'c0', subject: null, runCount: 4 }
    expect(await held()).toMatchObject([first])
    await deleteRuns(granted, ids.slice(0, 3))
    expect(await held()).toMatchObject([{ ...first, variant: 'v3', commit: 'c3', runCount: 1 }])
    await deleteRuns(granted, ids.slice(3))
    expect(await held()).toEqual([])
  })

  it('holds deleted runs until they are restored', async () => {
    await deleteRuns(granted, ids.slice(0, 2))
    await expect(deleteRuns(granted, ids)).rejects.toThrow(NotFoundError)
    expect(await listed()).toEqual(ids.slice(2).sort())
    const trash = await listTrash(granted)
    expect(trash.runs.map((run) => run.id).sort()).toEqual(ids.slice(0, 2).sort())
    expect(trash).toMatchObject({ uploads: [], more: false, runs: [{ deletedBy: 'run' }, { deletedBy: 'run' }] })
    await restoreFromTrash(granted, { ...none, runIds: ids.slice(0, 2) })
    expect(await listed()).toEqual([...ids].sort())
    expect((await listTrash(granted)).runs).toEqual([])
  })

  it('restores an upload with the runs deleted along with it, not those deleted before', async () => {
    await deleteRun(granted, ids[0] ?? '')
    await deleteUpload(granted, uploadId)
    const trash = await listTrash(granted)
    expect(trash).toMatchObject({ runs: [], uploads: [{ id: uploadId, runCount: 3 }] })
    await restoreFromTrash(granted, { ...none, uploadIds: [uploadId] })
    await expect(restoreUpload(granted, uploadId)).rejects.toThrow(NotFoundError)
    expect(await listed()).toEqual(ids.slice(1).sort())
    expect((await listTrash(granted)).runs.map((run) => run.id)).toEqual([ids[0]])
  })

  it('permanently deletes only what it contains, all or none, and a re-import does not restore it', async () => {
    await expect(destroyTrash(granted, { ...none, runIds: ids })).rejects.toThrow(NotFoundError)
    await deleteRuns(granted, ids.slice(0, 2))
    await expect(destroyTrash(granted, { ...none, runIds: ids.slice(1, 3) })).rejects.toThrow(NotFoundError)
    expect((await listTrash(granted)).runs).toHaveLength(2)
    await destroyTrash(granted, { ...none, runIds: ids.slice(0, 2) })
    expect((await listTrash(granted)).runs).toEqual([])
    const left = await databasePool().query('SELECT run_id FROM histogram WHERE project_id = $1', [projectId])
    expect(left.rows.map((row: { run_id: string }) => row.run_id).sort()).toEqual(ids.slice(2).sort())
    await replaceUploadRuns(granted, { uploadId, file })
    expect(await listed()).toEqual(ids.slice(2).sort())
  })

  it('permanently deletes an upload with all its runs', async () => {
    await deleteRun(granted, ids[0] ?? '')
    await deleteUpload(granted, uploadId)
    await destroyTrash(granted, { ...none, uploadIds: [uploadId] })
    expect(await listTrash(granted)).toEqual({ runs: [], uploads: [], more: false })
    expect((await databasePool().query('SELECT 1 FROM run WHERE project_id = $1', [projectId])).rows).toEqual([])
    await expect(restoreFromTrash(granted, { ...none, uploadIds: [uploadId] })).rejects.toThrow(NotFoundError)
  })

  it('several runs are edited together, all or none, and a re-import keeps the edit', async () => {
    const change = { scenario: 'POST /', variant: null, addLabels: { fresh: '1' }, removeLabels: ['old', 'nothing'] }
    await updateRuns(granted, ids.slice(0, 2), change)
    const found = await getRuns(await toRead(projectId), ids)
    expect(found.map(({ scenario, variant, labels }) => [scenario, variant, labels])).toEqual([
      ['POST /', null, { commit: 'c0', fresh: '1' }],
      ['POST /', null, { commit: 'c1', fresh: '1' }],
      ['GET /', 'v2', { commit: 'c2', old: 'yes' }],
      ['GET /', 'v3', { commit: 'c3', old: 'yes' }],
    ])
    await replaceUploadRuns(granted, { uploadId, file })
    expect((await getRun(await toRead(projectId), ids[0] ?? '')).labels).toEqual({ commit: 'c0', fresh: '1' })
    await deleteRun(granted, ids[3] ?? '')
    await expect(updateRuns(granted, ids, { variant: 'x' })).rejects.toThrow(NotFoundError)
    expect((await getRun(await toRead(projectId), ids[2] ?? '')).variant).toBe('v2')
    const many = Array.from({ length: 201 }, (_, at) => String(at).padStart(26, '0'))
    await expect(deleteRuns(granted, many)).rejects.toThrow(InvalidInputError)
  })
})
