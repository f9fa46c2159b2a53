import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { NotFoundError } from '@/lib/errors'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import type { RunRow, StoredRun } from '@/lib/history/stored-runs'
import type { UploadDetail } from '@/lib/history/stored-uploads'
import { localViewer, type Viewer } from '@/lib/viewer'
import * as projects from '@/prisma/queries/projects/projects'
import * as cubes from '@/prisma/queries/runs/cubes'
import * as runs from '@/prisma/queries/runs/runs'
import * as uploads from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from './engines'
import { calls, type Call, type Target } from './every-query'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun, toRead } from './samples'

/** Of the whole installation, called by the server on no one's behalf: they name no project's data. */
const ofTheInstallation = [
  'sweepDrafts',
  'findNeededRaws',
  'sampleDataWasLoaded',
  'markSampleDataLoaded',
  'listDueSeries',
  'enqueueOldCubes',
  'findDueCubes',
  'postponeDueCubes',
  'saveDueCubes',
  'listProjectsWithMissingRules',
  'claimDeliveries',
  'sweepIdempotencyKeys',
  'foldTermCounts',
  'applyRetention',
  'emptyTrash',
  'purgeProjects',
  'rewriteTargets',
  'pingDatabase',
  'isDatabaseWritable',
  'countWaiting',
  // A backup contains everything, and is created and restored by whoever controls the data folder.
  'dumpTables',
  'listFilledTables',
  'loadTables',
  // Called before the viewer is known: they get the hash of a secret, or the credentials of a sign-in.
  'findAccountByEmail',
  'findAccountBySubject',
  'linkSubject',
  'hasPasswordHash',
  'resetPasswordHash',
  'hasOwner',
  'createSession',
  'findSessionViewer',
  'readSessionFrame',
  'readLocalFrame',
  'sweepSessions',
  'findTokenViewer',
  'createOwnerInvitation',
  'findInvitation',
  'acceptInvitation',
  'addAuditEntry',
  'takePoint',
  'takeCounted',
  'findWait',
  'sweepProgress',
  'sweepRateLimits',
]

/** Results that mean "nothing", for queries that do not throw. */
const nothing: Readonly<Record<string, unknown>> = {
  listProjects: [],
  findProject: null,
  findUploadTarget: null,
  listProjectNames: [],
  listProjectNews: [],
  listOpenAlerts: [],
}

it('lists every query of prisma/queries', async () => {
  const folder = path.join(import.meta.dirname, '../../prisma/queries')
  const exported: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.ts')) continue
    const module: Record<string, unknown> = await import(path.join(folder, name))
    exported.push(...Object.keys(module))
  }
  expect(exported.sort()).toEqual([...Object.keys(calls), ...ofTheInstallation].sort())
})

describeOnOneEngine('viewers', () => {
  let foreign: Target
  let missing: Target
  let own: ProjectSummary
  let ownRun: RunRow
  let before: { project: ProjectSummary; run: StoredRun; draft: UploadDetail; upload: UploadDetail }

  const readTarget = async ({ slug, projectId, run, draftId, uploadId }: Target) => ({
    project: await projects.getProject(localViewer, slug),
    run: await runs.getRun(await toRead(projectId), run.id),
    draft: await uploads.getUpload(await toRead(projectId), draftId),
    upload: await uploads.getUpload(await toRead(projectId), uploadId),
  })

  beforeAll(async () => {
    own = await sampleProject()
    const [mine] = (await uploads.saveImport(localViewer, sampleImport(own.id, sampleFile([sampleRun()])))).runs
    const project = await sampleProject()
    const input = sampleImport(
      project.id,
      sampleFile([sampleRun({ startedAt: '2024-01-01T00:00:00.000Z' }), sampleRun({ latencies: [sampleLatency()] })]),
    )
    const saved = await uploads.saveImport(localViewer, input)
    const draft = await uploads.createDraft(localViewer, sampleImport(project.id, sampleFile([sampleRun()])))
    const run = saved.runs[1]
    if (run === undefined || mine === undefined) throw new Error('nothing was saved')
    ownRun = mine
    const sha256 = input.sentSha256
    foreign = {
      projectId: project.id,
      slug: project.slug,
      uploadId: saved.upload.id,
      draftId: draft.id,
      run,
      sha256,
      ownSlug: own.slug,
    }
    const none = '0'.repeat(26)
    missing = {
      projectId: none,
      slug: 'no-such-project',
      uploadId: none,
      draftId: none,
      run: { ...run, id: none, projectId: none },
      sha256,
      ownSlug: own.slug,
    }
    before = await readTarget(foreign)
  })

  const outcome = async (call: Call, viewer: Viewer, target: Target) => {
    try {
      return { answer: await call(viewer, target) }
    } catch (error) {
      expect(error).toBeInstanceOf(NotFoundError)
      return { refused: String(error) }
    }
  }

  it('finds the foreign run for viewers who may see it', async () => {
    const found = await calls['findRunsBeside']?.(localViewer, foreign)
    expect(found).toMatchObject({ sameAttack: [{ id: foreign.run.id }] })
  })

  it('an outsider with a share link, or with none of its runs, gets nothing from any query', async () => {
    const earlier: Viewer = { kind: 'share', runIds: [missing.run.id, 'x', ''] }
    for (const viewer of [{ kind: 'share', runIds: [] } as const, earlier]) {
      for (const [name, call] of Object.entries(calls)) {
        const [there, nowhere] = [await outcome(call, viewer, foreign), await outcome(call, viewer, missing)]
        expect(there, name).toEqual(nowhere)
        expect(there, name).toEqual(
          name in nothing ? { answer: nothing[name] } : { refused: expect.stringContaining('not found') },
        )
      }
    }
    expect(await readTarget(foreign)).toEqual(before)
  })

  it('work for one project sees nothing of another', async () => {
    const viewer: Viewer = { kind: 'system', projectId: own.id }
    for (const [name, call] of Object.entries(calls)) {
      const [there, nowhere] = [await outcome(call, viewer, foreign), await outcome(call, viewer, missing)]
      expect(there, name).toEqual(nowhere)
      if (name === 'listProjects') expect(there).toEqual({ answer: [await projects.getProject(viewer, own.slug)] })
      else if (name === 'listProjectNames') {
        const { id, slug, name } = own
        expect(there).toEqual({
          answer: [{ id, slug, name, openAlerts: 0, hasDeadChannel: false, repositoryUrl: null, role: 'admin' }],
        })
      } else
        expect(there, name).toEqual(
          name in nothing ? { answer: nothing[name] } : { refused: expect.stringContaining('not found') },
        )
    }
    const granted = await projects.grant(viewer, own, 'edit')
    await expect(runs.moveRun(granted, { runId: ownRun.id, toProjectSlug: foreign.slug })).rejects.toThrow(
      NotFoundError,
    )
    expect(await runs.updateRun(granted, ownRun.id, { notes: 'mine' })).toMatchObject({ notes: 'mine' })
    expect(await readTarget(foreign)).toEqual(before)
  })

  it('a share link reads its runs, changes none, and sees nothing else', async () => {
    const viewer = { kind: 'share', runIds: [foreign.run.id] } as const
    const seen = { viewer, id: foreign.projectId }
    expect((await runs.getRun(seen, foreign.run.id)).id).toBe(foreign.run.id)
    expect(await projects.listProjectNews(viewer, [{ id: foreign.projectId }], 10)).toEqual([])
    await expect(runs.getRuns(seen, [foreign.run.id, ownRun.id])).rejects.toThrow(NotFoundError)
    await expect(runs.getRunRows(seen, [foreign.run.id, ownRun.id])).rejects.toThrow(NotFoundError)
    await expect(runs.getRun({ viewer, id: own.id }, foreign.run.id)).rejects.toThrow(NotFoundError)
    await expect(cubes.listCubes(seen, [foreign.run.id, ownRun.id])).rejects.toThrow(NotFoundError)
    await expect(cubes.listCubes({ viewer, id: own.id }, [foreign.run.id])).rejects.toThrow(NotFoundError)
    expect([...((await calls['listFailures']?.(viewer, foreign)) as Map<string, unknown>).keys()]).toEqual([
      foreign.run.id,
    ])
    for (const name of Object.keys(calls).filter(
      (call) => !(call in nothing) && !['getRun', 'getRuns', 'getRunRows', 'listFailures', 'listCubes'].includes(call),
    )) {
      await expect(calls[name]?.(viewer, foreign), name).rejects.toThrow(NotFoundError)
    }
    expect(await readTarget(foreign)).toEqual(before)
  })

  it('ids of one project do not open through another', async () => {
    for (const [name, call] of Object.entries(calls)) {
      const mixed = { ...foreign, projectId: own.id, run: { ...foreign.run, projectId: own.id } }
      if (!/Run$|Runs$|Upload$|Draft$/.test(name) || /^(create|list|find|follow)/.test(name)) continue
      await expect(call(localViewer, mixed), name).rejects.toThrow(NotFoundError)
    }
    expect(await readTarget(foreign)).toEqual(before)
  })

  it('invalid ids are not found, whatever they contain', async () => {
    for (const id of ['', 'x', '\u0000', '%', "' OR 1=1 --", '🏓'.repeat(26), 'Z'.repeat(26), '../x'.padEnd(26, '0')]) {
      const odd = {
        ...foreign,
        projectId: id,
        slug: id,
        uploadId: id,
        draftId: id,
        run: { ...foreign.run, id, projectId: id },
      }
      for (const [name, call] of Object.entries(calls)) {
        if (name in nothing || name === 'createProject') continue
        await expect(call(localViewer, odd), name).rejects.toThrow(NotFoundError)
        if (!/Run$|Runs$|Upload$|Draft$/.test(name) || /^(create|list|find|follow)/.test(name)) continue
        await expect(call(localViewer, { ...odd, projectId: foreign.projectId }), name).rejects.toThrow(NotFoundError)
      }
    }
  })
})
