import { beforeEach, expect, it } from 'vitest'
import { InvalidInputError } from '@/lib/errors'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { setBaselineRun } from '@/prisma/queries/runs/baselines'
import { createComparison } from '@/prisma/queries/projects/comparisons'
import { getRetention, grant, setRetention, type Granted } from '@/prisma/queries/projects/projects'
import { deleteUpload, getUpload, saveImport } from '@/prisma/queries/uploads/uploads'
import { createShare, revokeShare } from '@/prisma/queries/projects/shares'
import { applyRetention, emptyTrash, findNeededRaws } from '@/prisma/queries/installation/sweeps'
import { listTrash } from '@/prisma/queries/projects/trash'
import { deleteRun, listRuns } from '@/prisma/queries/runs/runs'
import { describeOnEngines } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toRead } from '../samples'

const dayMs = 86_400_000
const page = { sort: 'time', direction: 'asc', limit: 200 } as const

describeOnEngines('retention', () => {
  let granted: Granted<'administer'>
  let projectId = ''
  const now = new Date()
  beforeEach(async () => {
    granted = await grant(localViewer, await sampleProject(), 'administer')
    projectId = granted.id
  })

  /** An upload of one run, both `days` old; `startedDays`: the run started earlier than that. */
  const saved = async (days: number, startedDays = days) => {
    const startedAt = new Date(now.getTime() - startedDays * dayMs).toISOString()
    const { upload, runs } = await saveImport(
      localViewer,
      sampleImport(projectId, sampleFile([sampleRun({ startedAt })])),
    )
    const at = new Date(now.getTime() - days * dayMs)
    await databasePool().query('UPDATE upload SET created_at = $1 WHERE id = $2', [at, upload.id])
    await databasePool().query('UPDATE run SET uploaded_at = $1 WHERE upload_id = $2', [at, upload.id])
    return { run: runs[0]?.id ?? '', upload: upload.id, sha256: upload.storedSha256 }
  }
  const live = async () => (await listRuns(await toRead(projectId), {}, page)).rows.map((run) => run.id).sort()
  const hasRaw = async (upload: string) => (await getUpload(await toRead(projectId), upload)).rawRemovedAt === null
  const share = async (runId: string) =>
    createShare(granted, {
      ...{ name: 'S', kind: 'run', runIds: [runId], sideSizes: [1], view: '', notes: '', includeRaw: true },
      tokenSha256: runId.padEnd(64, '0').replaceAll(/[^0-9a-f]/g, '0'),
      expiresAt: null,
    })

  it('keeps everything by default', async () => {
    const old = await saved(3_000)
    await applyRetention(now)
    expect(await live()).toEqual([old.run])
    expect(await hasRaw(old.upload)).toBe(true)
    expect(await getRetention(granted)).toEqual({ keepRawDays: null, keepRunsDays: null })
    await expect(setRetention(granted, { keepRawDays: 0, keepRunsDays: null })).rejects.toThrow(InvalidInputError)
  })

  it('trashes old runs, but no baseline and nothing shared or saved', async () => {
    const [old, young, late, baseline, shared, revoked, compared] = [
      await saved(31),
      await saved(29),
      await saved(1, 400), // an old log that came yesterday
      await saved(50),
      await saved(60),
      await saved(70),
      await saved(80),
    ]
    await setBaselineRun(granted, baseline.run)
    await share(shared.run)
    await revokeShare(granted, (await share(revoked.run)).id, now)
    await createComparison(granted, { name: 'C', kind: 'runs', refs: `${compared.run}...${young.run}` })
    const kept = { keepRawDays: null, keepRunsDays: 30 }
    await setRetention(granted, kept)
    expect(await getRetention(granted)).toEqual(kept)
    await applyRetention(now)
    expect(await live()).toEqual([young, late, baseline, shared, compared].map((one) => one.run).sort())
    const trash = (await listTrash(granted)).runs
    expect(trash.map((run) => [run.id, run.deletedBy]).sort()).toEqual(
      [old, revoked].map((one) => [one.run, 'retention']).sort(),
    )
  })

  it('removes raw files, but not those of baselines and shared runs', async () => {
    const [old, young, baseline, shared] = [await saved(8), await saved(6), await saved(90), await saved(90)]
    await setBaselineRun(granted, baseline.run)
    await share(shared.run)
    await setRetention(granted, { keepRawDays: 7, keepRunsDays: null })
    await applyRetention(now)
    expect(await live()).toHaveLength(4)
    expect(await Promise.all([old, young, baseline, shared].map((one) => hasRaw(one.upload)))).toEqual([
      ...[false, true, true, true],
    ])
    const needed = await findNeededRaws([old, young, baseline, shared].map(({ sha256 }) => sha256))
    expect(needed).toEqual(new Set([young.sha256, baseline.sha256, shared.sha256]))
  })

  it('empties the trash by age', async () => {
    const [run, upload, fresh] = [await saved(1), await saved(1), await saved(1)]
    await deleteRun(granted, run.run)
    await deleteUpload(granted, upload.upload)
    const before = new Date(Date.now() + 1)
    while (Date.now() <= before.getTime()) continue
    await deleteRun(granted, fresh.run)
    await emptyTrash(before)
    const trash = await listTrash(granted)
    expect(trash).toMatchObject({ runs: [{ id: fresh.run }], uploads: [] })
    expect((await databasePool().query('SELECT id FROM run WHERE project_id = $1', [projectId])).rows).toEqual([
      { id: fresh.run },
    ])
    expect(await findNeededRaws([upload.sha256])).toEqual(new Set())
  })
})
