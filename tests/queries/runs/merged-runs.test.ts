import { beforeEach, expect, it } from 'vitest'
import { cubeVersion } from '@/lib/cube/cube'
import { ConflictError, NotFoundError } from '@/lib/errors'
import { mergedNames } from '@/lib/merge/merged-names'
import { mergedUploadKind } from '@/lib/merge/merged-document'
import { mergeRuns } from '@/lib/merge/merge-runs'
import type { RunRow, StoredRun } from '@/lib/history/stored-runs'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { listCubes } from '@/prisma/queries/runs/cubes'
import { findMergedInto, listParts, saveMerge, splitRun } from '@/prisma/queries/runs/merged-runs'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { deleteRun, getRun, getRuns, listRuns, listUploadRuns, moveRun, restoreRun } from '@/prisma/queries/runs/runs'
import { applyRetention, emptyTrash } from '@/prisma/queries/installation/sweeps'
import { deleteRuns, destroyTrash, listTrash, restoreFromTrash } from '@/prisma/queries/projects/trash'
import {
  deleteUpload,
  findSavedUploadBySentSha256,
  getUpload,
  replaceUploadRuns,
  saveImport,
} from '@/prisma/queries/uploads/uploads'
import { later } from '../../later'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toEdit, toRead } from '../samples'

const day = 86_400_000

/** The output of one of three generators. */
const fileOf = (at: number) =>
  sampleFile([
    sampleRun({
      requests: 100 + at,
      durationMs: 10_000,
      startedAt: '2026-11-20T10:00:00.000Z',
      statusCodes: { 200: 100 + at },
      latencies: [
        sampleLatency({
          count: 100 + at,
          quantiles: [],
          histogram: {
            kind: 'buckets',
            inclusive: 'upper',
            buckets: [
              { lowerMs: 0, upperMs: 1, count: 100 },
              { lowerMs: 1, upperMs: 2, count: at },
            ],
          },
        }),
      ],
      proposal: { scenario: 'GET /', variant: 'gzip', labels: { commit: 'abc', generator: `g${at}` } },
    }),
    sampleRun({ requests: 7, proposal: { scenario: 'another' } }),
  ])

const page = { sort: 'time', direction: 'asc', limit: 200 } as const

describeOnEngines('merged runs', () => {
  let granted: Granted<'administer'>
  let projectId = ''
  let saved: readonly { readonly uploadId: string; readonly sha256: string; readonly run: RunRow }[] = []
  let ids: readonly string[] = []

  beforeEach(async () => {
    granted = await grant(localViewer, await sampleProject(), 'administer')
    projectId = granted.id
    saved = []
    for (const at of [1, 2, 3]) {
      const input = sampleImport(projectId, fileOf(at), { name: `generator-${at}.txt` })
      const { upload, runs } = await saveImport(localViewer, input)
      const [run] = runs
      if (run === undefined) throw new Error('nothing was saved')
      saved = [...saved, { uploadId: upload.id, sha256: upload.sentSha256, run }]
      await later()
    }
    ids = saved.map(({ run }) => run.id)
  })

  const listed = async () => (await listRuns(await toRead(projectId), { scenario: 'GET /' }, page)).rows
  const listedIds = async () => (await listed()).map(({ id }) => id)

  async function input(runIds = ids) {
    const parts = await getRuns(await toRead(projectId), runIds)
    const outcome = await mergeRuns(parts.map(({ id, imported }) => ({ name: id, run: imported })))
    if (outcome.kind === 'refused') throw new Error(outcome.reason)
    const { file: _file, ...bytes } = sampleImport(projectId, sampleFile([]))
    const upload = { ...bytes, name: 'merged.md', kind: mergedUploadKind, file: sampleFile([]) }
    return { parts, imported: outcome.run, names: mergedNames(parts), upload }
  }
  const merge = async (runIds = ids) => saveMerge(granted, await input(runIds))
  const whole = (run: StoredRun) => ({ ...run, judged: null, judgement: null })

  it('replaces its parts until it is split, which restores them unchanged', async () => {
    const before = await getRuns(await toRead(projectId), ids)
    const made = await merge()
    expect(made).toMatchObject({ form: 'merged-runs', scenario: 'GET /', variant: 'gzip', labels: { commit: 'abc' } })
    expect(made.figures.requests).toBe(306)
    expect(await listedIds()).toEqual([made.id])
    const stored = await getRun(await toRead(projectId), made.id)
    expect(stored.imported.statusCodes).toEqual({ 200: 306 })
    expect(stored.imported.latencies[0]?.histogram).toMatchObject({ buckets: [{ count: 300 }, { count: 6 }] })
    expect((await listParts(granted, made.id)).map(({ id, uploadName }) => [id, uploadName])).toEqual(
      ids.map((id, at) => [id, `generator-${at + 1}.txt`]),
    )
    expect(await findMergedInto(granted, ids[0] ?? '')).toBe(made.id)
    await expect(getRun(await toRead(projectId), ids[0] ?? '')).rejects.toThrow(NotFoundError)
    expect(await listTrash(granted)).toEqual({ runs: [], uploads: [], more: false })

    expect(await splitRun(granted, made.id)).toEqual([...ids].sort())
    expect((await listedIds()).sort()).toEqual([...ids].sort())
    expect((await getRuns(await toRead(projectId), ids)).map(whole)).toEqual(before.map(whole))
    await expect(getRun(await toRead(projectId), made.id)).rejects.toThrow(NotFoundError)
    await expect(getUpload(await toRead(projectId), made.uploadId)).rejects.toThrow(NotFoundError)
    expect(await listParts(granted, made.id)).toEqual([])
    await expect(splitRun(granted, ids[0] ?? '')).rejects.toThrow(ConflictError)
  })

  it('is asked for the cubes of its parts, as long as it is there', async () => {
    const cubes = async (of: readonly string[]) =>
      (await listCubes(await toRead(projectId), of)).map(({ runId, cube, partOf }) => [runId, cube?.length, partOf])
    for (const id of ids)
      await databasePool().query('INSERT INTO run_cube (run_id, version, cube) VALUES ($1, $2, $3)', [
        id,
        cubeVersion,
        Buffer.of(cubeVersion, 1),
      ])
    const made = await merge()
    const parts = [...ids].sort().map((id) => [id, 2, made.id])
    expect(await cubes([made.id])).toEqual(expect.arrayContaining([[made.id, undefined, null], ...parts]))
    // A part alone is not there.
    expect(await cubes(ids)).toEqual([])
    await deleteRun(granted, made.id)
    expect(await cubes([made.id])).toEqual([])
  })

  it('is one run of its series, which becomes due once for its evaluation', async () => {
    await databasePool().query('DELETE FROM series_due')
    const made = await merge()
    const { rows } = await databasePool().query(
      'SELECT count(*)::int AS runs FROM run WHERE series_id = $1 AND in_series AND deleted_at IS NULL',
      [made.seriesId],
    )
    expect(rows).toEqual([{ runs: 1 }])
    const due = await databasePool().query('SELECT DISTINCT series_id FROM series_due')
    expect(due.rows).toEqual([{ series_id: made.seriesId }])
  })

  it('takes all or none, once, and only in the state they were read', async () => {
    const stale = await input()
    await databasePool().query('UPDATE run SET requests = 1 WHERE id = $1', [ids[0]])
    await expect(saveMerge(granted, stale)).rejects.toThrow(ConflictError)
    const again = await input()
    await merge()
    await expect(saveMerge(granted, again)).rejects.toThrow(NotFoundError)
    expect(await listed()).toHaveLength(1)
    const uploads = await databasePool().query('SELECT 1 FROM upload WHERE project_id = $1', [projectId])
    expect(uploads.rows).toHaveLength(4)
  })

  it('goes to the trash and back, and is deleted permanently, with its parts', async () => {
    const made = await merge()
    await deleteRun(granted, made.id)
    expect((await listTrash(granted)).runs.map(({ id }) => id)).toEqual([made.id])
    await expect(splitRun(granted, made.id)).rejects.toThrow(NotFoundError)
    await restoreFromTrash(granted, { runIds: [made.id], uploadIds: [] })
    expect(await listedIds()).toEqual([made.id])
    await deleteRuns(granted, [made.id])
    await destroyTrash(granted, { runIds: [made.id], uploadIds: [] })
    const left = await databasePool().query('SELECT 1 FROM run WHERE id = ANY($1)', [[made.id, ...ids]])
    expect(left.rows).toEqual([])
    // Their files do not restore them.
    const [first] = saved
    await replaceUploadRuns(granted, { uploadId: first?.uploadId ?? '', file: fileOf(1) })
    expect(await listed()).toEqual([])
  })

  it('protects its parts: neither they nor their uploads can be deleted, restored or re-imported alone', async () => {
    const made = await merge(ids.slice(0, 2))
    const [id = '', uploadId = ''] = [ids[0], saved[0]?.uploadId]
    await expect(deleteRun(granted, id)).rejects.toThrow(NotFoundError)
    await expect(restoreRun(granted, id)).rejects.toThrow(ConflictError)
    await expect(restoreFromTrash(granted, { runIds: [id], uploadIds: [] })).rejects.toThrow(NotFoundError)
    await expect(deleteUpload(granted, uploadId)).rejects.toThrow(ConflictError)
    await expect(replaceUploadRuns(granted, { uploadId, file: fileOf(1) })).rejects.toThrow(ConflictError)
    const own = { uploadId: made.uploadId, file: sampleFile([]) }
    await expect(replaceUploadRuns(granted, own)).rejects.toThrow(ConflictError)
    await emptyTrash(new Date(Date.now() + 60 * day))
    expect(await listParts(granted, made.id)).toHaveLength(2)
    // Its own upload can be deleted, along with them.
    await deleteUpload(granted, made.uploadId)
    await restoreFromTrash(granted, { runIds: [], uploadIds: [made.uploadId] })
    expect(await listParts(granted, made.id)).toHaveLength(2)
    await deleteUpload(granted, made.uploadId)
    await destroyTrash(granted, { runIds: [], uploadIds: [made.uploadId] })
    expect(await listedIds()).toEqual([ids[2]])
    await replaceUploadRuns(granted, { uploadId, file: fileOf(1) })
    expect(await listedIds()).toEqual([ids[2]])
  })

  it('is recognised by the bytes of its parts', async () => {
    const made = await merge()
    const [first] = saved
    const rows = await listUploadRuns(await toRead(projectId), first?.uploadId ?? '')
    expect(rows.map(({ id, scenario }) => [id === made.id, scenario]).sort()).toEqual([
      [false, 'another'],
      [true, 'GET /'],
    ])
    const again = await findSavedUploadBySentSha256(await toRead(projectId), first?.sha256 ?? '')
    expect(again?.runs.map(({ id }) => id)).toContain(made.id)
    expect(again?.upload.id).toBe(first?.uploadId)
  })

  it('moves to another project with its parts', async () => {
    const made = await merge()
    const target = await sampleProject()
    await moveRun(granted, { runId: made.id, toProjectSlug: target.slug })
    expect(await listParts(granted, made.id)).toEqual([])
    const parts = await listParts(await toEdit(target.id), made.id)
    expect(parts.map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect(new Set(parts.map((part) => part.projectId))).toEqual(new Set([target.id]))
    await splitRun(await toEdit(target.id), made.id)
    const { rows } = await listRuns(await toRead(target.id), {}, page)
    expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort())
  })

  it('is retained as one, and keeps the files of its parts while it is a baseline', async () => {
    const made = await merge()
    await databasePool().query('UPDATE project SET keep_raw_days = 1, keep_runs_days = 1 WHERE id = $1', [projectId])
    await databasePool().query(`INSERT INTO baseline (id, project_id, scenario, run_id) VALUES ($1, $2, 'GET /', $3)`, [
      made.id,
      projectId,
      made.id,
    ])
    await applyRetention(new Date(Date.now() + 10 * day))
    expect(await listedIds()).toEqual([made.id])
    const files = await databasePool().query(
      'SELECT count(*)::int AS removed FROM upload WHERE project_id = $1 AND raw_removed_at IS NOT NULL',
      [projectId],
    )
    expect(files.rows).toEqual([{ removed: 0 }])
    await databasePool().query('DELETE FROM baseline WHERE project_id = $1', [projectId])
    await applyRetention(new Date(Date.now() + 10 * day))
    expect(await listedIds()).toEqual([])
    expect((await listTrash(granted)).runs.map(({ id }) => id)).toContain(made.id)
  })
})
