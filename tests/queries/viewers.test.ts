import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { NotFoundError } from '@/lib/errors'
import type { ProjectSummary, RunRow, StoredRun, UploadDetail } from '@/lib/stored'
import { testMessage } from '@/lib/alert-message'
import { alertStates } from '@/lib/stored-alerts'
import { localViewer, type Viewer } from '@/lib/viewer'
import * as alerts from '@/prisma/queries/alerts'
import * as badges from '@/prisma/queries/badges'
import * as annotations from '@/prisma/queries/annotations'
import * as baselines from '@/prisma/queries/baselines'
import * as comparisons from '@/prisma/queries/comparisons'
import * as cellNotes from '@/prisma/queries/cell-notes'
import * as channels from '@/prisma/queries/channels'
import * as deliveries from '@/prisma/queries/deliveries'
import * as looks from '@/prisma/queries/looks'
import * as projects from '@/prisma/queries/projects'
import * as projectEvents from '@/prisma/queries/project-events'
import * as ruleHistory from '@/prisma/queries/rule-history'
import * as rules from '@/prisma/queries/rules'
import * as runs from '@/prisma/queries/runs'
import * as sameAttack from '@/prisma/queries/same-attack'
import * as series from '@/prisma/queries/series'
import * as shares from '@/prisma/queries/shares'
import * as trash from '@/prisma/queries/trash'
import * as uploads from '@/prisma/queries/uploads'
import { describeOnEngines } from './engines'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun } from './samples'

/** What a call is made with: things of a project that the viewer may not see, or things that do not exist. */
interface Target {
  readonly projectId: string
  readonly slug: string
  readonly uploadId: string
  readonly draftId: string
  readonly run: RunRow
  readonly sha256: string
  /** A project that the viewer may see, where there is one. */
  readonly ownSlug: string
}

type Call = (viewer: Viewer, target: Target) => Promise<unknown>

const noHash = '0'.repeat(64)
const cell = { scenario: 'S', variant: null, environment: null, text: 'hijacked' }
const file = sampleFile([sampleRun({ command: 'hijacked' })])
/** Of the same attack as the foreign run, were one to see that. */
const exactRun = sampleRun({ form: 'hey-csv', latencies: [sampleLatency()] })
const page = { sort: 'time', direction: 'desc', limit: 10 } as const

const claimOf = (projectId: string, id: string) => ({ id, projectId, channelId: id, isFailing: true })
const nowhere = { origin: '', project: { slug: '', name: '' }, at: '' }
const ended = { now: new Date(), random: 0, scale: 1, channelOff: () => testMessage('', nowhere) }

/** Every query, by its name. A new one fails the first test until it stands here. */
const calls: Readonly<Record<string, Call>> = {
  listProjects: (viewer) => projects.listProjects(viewer),
  getProject: (viewer, { slug }) => projects.getProject(viewer, slug),
  findProject: (viewer, { slug }) => projects.findProject(viewer, slug),
  createProject: (viewer) => projects.createProject(viewer, { slug: 'hijacked', name: 'hijacked' }),
  renameProject: (viewer, { slug }) => projects.renameProject(viewer, slug, 'hijacked'),
  deleteProject: (viewer, { slug }) => projects.deleteProject(viewer, slug),
  getUpload: (viewer, { projectId, uploadId }) => uploads.getUpload(viewer, projectId, uploadId),
  listUploads: (viewer, { projectId }) => uploads.listUploads(viewer, projectId),
  findSavedUploadBySentSha256: (viewer, { projectId, sha256 }) =>
    uploads.findSavedUploadBySentSha256(viewer, projectId, sha256),
  createDraft: (viewer, { projectId }) => uploads.createDraft(viewer, sampleImport(projectId, file)),
  saveDraft: (viewer, { projectId, draftId }) => uploads.saveDraft(viewer, { projectId, uploadId: draftId, edits: [] }),
  saveImport: (viewer, { projectId }) => uploads.saveImport(viewer, sampleImport(projectId, file)),
  replaceUploadRuns: (viewer, { projectId, uploadId }) =>
    uploads.replaceUploadRuns(viewer, { projectId, uploadId, file }),
  deleteUpload: (viewer, { projectId, uploadId }) => uploads.deleteUpload(viewer, projectId, uploadId),
  restoreUpload: (viewer, { projectId, uploadId }) => uploads.restoreUpload(viewer, projectId, uploadId),
  discardDraft: (viewer, { projectId, draftId }) => uploads.discardDraft(viewer, projectId, draftId),
  listRuns: (viewer, { projectId }) => runs.listRuns(viewer, projectId, {}, page),
  listLatestRuns: (viewer) => runs.listLatestRuns(viewer, 100),
  listUploadRuns: (viewer, { projectId, uploadId }) => runs.listUploadRuns(viewer, projectId, uploadId),
  getRun: (viewer, { projectId, run }) => runs.getRun(viewer, projectId, run.id),
  getRuns: (viewer, { projectId, run }) => runs.getRuns(viewer, projectId, [run.id]),
  getRunRows: (viewer, { projectId, run }) => runs.getRunRows(viewer, projectId, [run.id]),
  updateRun: (viewer, { projectId, run }) => runs.updateRun(viewer, projectId, run.id, { notes: 'hijacked' }),
  deleteRun: (viewer, { projectId, run }) => runs.deleteRun(viewer, projectId, run.id),
  restoreRun: (viewer, { projectId, run }) => runs.restoreRun(viewer, projectId, run.id),
  moveRun: (viewer, { projectId, run, ownSlug }) =>
    runs.moveRun(viewer, { projectId, runId: run.id, toProjectSlug: ownSlug }),
  listRepeats: (viewer, { projectId, run }) => runs.listRepeats(viewer, projectId, [run.id]),
  listFacets: (viewer, { projectId }) => runs.listFacets(viewer, projectId),
  getRetention: (viewer, { projectId }) => projects.getRetention(viewer, projectId),
  setRetention: (viewer, { projectId }) =>
    projects.setRetention(viewer, projectId, { keepRawDays: 1, keepRunsDays: 1 }),
  listTrash: (viewer, { projectId }) => trash.listTrash(viewer, projectId),
  updateRuns: (viewer, { projectId, run }) => trash.updateRuns(viewer, projectId, [run.id], { scenario: 'hijacked' }),
  deleteRuns: (viewer, { projectId, run }) => trash.deleteRuns(viewer, projectId, [run.id]),
  restoreFromTrash: (viewer, { projectId, uploadId }) =>
    trash.restoreFromTrash(viewer, projectId, { runIds: [], uploadIds: [uploadId] }),
  destroyTrash: (viewer, { projectId, run }) =>
    trash.destroyTrash(viewer, projectId, { runIds: [run.id], uploadIds: [] }),
  findPreviousRun: (viewer, { run }) => runs.findPreviousRun(viewer, run),
  listSameAttack: (viewer, { run }) => sameAttack.listSameAttack(viewer, { ...run, imported: exactRun }),
  listSeries: (viewer, { projectId }) => series.listSeries(viewer, projectId),
  getSeriesHistories: (viewer, { projectId, run }) => series.getSeriesHistories(viewer, projectId, [run.seriesId]),
  listAlerts: (viewer, { projectId }) => alerts.listAlerts(viewer, projectId, alertStates),
  countOpenAlertsBySlug: (viewer) => alerts.countOpenAlertsBySlug(viewer),
  listSeriesAlerts: (viewer, { projectId, run }) => alerts.listSeriesAlerts(viewer, projectId, [run.seriesId]),
  getAlert: (viewer, { projectId, run }) => alerts.getAlert(viewer, projectId, run.id),
  moveAlert: (viewer, { projectId, run }) =>
    alerts.moveAlert(viewer, { projectId, alertId: run.id, to: 'resolved' }, new Date()),
  countRuleAlerts: (viewer, { projectId }) => ruleHistory.countRuleAlerts(viewer, projectId),
  listRunTimes: (viewer, { projectId }) =>
    ruleHistory.listRunTimes(viewer, projectId, { scenario: null, seriesId: null }, '2000-01-01T00:00:00.000Z'),
  listFailedUploads: (viewer, { projectId }) =>
    ruleHistory.listFailedUploads(viewer, projectId, '2000-01-01T00:00:00.000Z'),
  followMissingRuns: (viewer, { projectId }) => projectEvents.followMissingRuns(viewer, projectId, new Date()),
  followFailedImport: (viewer, { projectId, uploadId }) =>
    projectEvents.followFailedImport(viewer, projectId, { id: uploadId, name: 'hijacked', message: '' }, new Date()),
  endFailedImports: (viewer, { projectId }) => projectEvents.endFailedImports(viewer, projectId, new Date()),
  listAnnotations: (viewer, { projectId }) => annotations.listAnnotations(viewer, projectId, null),
  addAnnotation: (viewer, { projectId }) => {
    const note = { kind: 'deploy', text: 'hijacked', at: '2026-01-01T00:00:00.000Z', scenario: null } as const
    return annotations.addAnnotation(viewer, projectId, note)
  },
  deleteAnnotation: (viewer, { projectId, run }) => annotations.deleteAnnotation(viewer, projectId, run.id),
  listRules: (viewer, { projectId }) => rules.listRules(viewer, projectId),
  listReferenceRuns: (viewer, { projectId, run }) => {
    const settings = {
      kind: 'baseline',
      metricIds: [],
      direction: 'worse',
      leastEffectRatio: 0.1,
      confirmRuns: 1,
    } as const
    return rules.listReferenceRuns(viewer, projectId, [{ settings: { ...settings, runIds: [run.id] } }])
  },
  saveRule: (viewer, { projectId }) => {
    const rule = { ruleId: null, scenario: null, seriesId: null, isEnabled: true, mutedUntil: null } as const
    return rules.saveRule(viewer, { ...rule, projectId, settings: { kind: 'missing', hours: 1 } }, new Date())
  },
  deleteRule: (viewer, { projectId }) => rules.deleteRule(viewer, projectId, projectId, new Date()),
  findDueSeries: (viewer, { projectId, run }) => looks.findDueSeries(viewer, projectId, run.seriesId),
  getWatches: (viewer, { projectId, run }) => looks.getWatches(viewer, projectId, run.seriesId),
  saveLooks: (viewer, { projectId, run }) => {
    const due = { projectId, seriesId: run.seriesId, dueId: 0n }
    return looks.saveLooks(viewer, { due, lookedAt: '', looks: [] }, new Date())
  },
  createShare: (viewer, { projectId, run }) => {
    const view = { kind: 'run', runIds: [run.id], sideSizes: [1], view: '', notes: '', includeRaw: true } as const
    return shares.createShare(viewer, { ...view, projectId, name: 'hijacked', tokenSha256: noHash, expiresAt: null })
  },
  listShares: (viewer, { projectId }) => shares.listShares(viewer, projectId),
  revokeShare: (viewer, { projectId, run }) => shares.revokeShare(viewer, projectId, run.id, new Date()),
  openShare: (viewer, { run }) => shares.openShare(viewer, run.id, { now: new Date(), counted: true }),
  createBadge: (viewer, { projectId, run }) =>
    badges.createBadge(viewer, {
      projectId,
      seriesId: run.seriesId,
      metricId: 'p99',
      label: 'hijacked',
      tokenSha256: noHash,
    }),
  listBadges: (viewer, { projectId, run }) => badges.listBadges(viewer, projectId, run.seriesId),
  revokeBadge: (viewer, { projectId, run }) => badges.revokeBadge(viewer, projectId, run.id, new Date()),
  openBadge: (viewer, { run }) => badges.openBadge(viewer, run.id),
  listComparisons: (viewer, { projectId }) => comparisons.listComparisons(viewer, projectId),
  getComparison: (viewer, { projectId, run }) => comparisons.getComparison(viewer, projectId, run.id),
  createComparison: (viewer, { projectId }) =>
    comparisons.createComparison(viewer, projectId, { name: 'hijacked', kind: 'matrix' }),
  updateComparison: (viewer, { projectId, run }) =>
    comparisons.updateComparison(viewer, projectId, run.id, { name: 'hijacked' }),
  deleteComparison: (viewer, { projectId, run }) => comparisons.deleteComparison(viewer, projectId, run.id),
  listBaselines: (viewer, { projectId }) => baselines.listBaselines(viewer, projectId),
  findBaselineRun: (viewer, { run }) => baselines.findBaselineRun(viewer, run),
  setBaselineRun: (viewer, { projectId, run }) => baselines.setBaselineRun(viewer, projectId, run.id),
  clearBaselineRun: (viewer, { projectId, run }) => baselines.clearBaselineRun(viewer, projectId, run.id),
  listCellNotes: (viewer, { projectId }) => cellNotes.listCellNotes(viewer, projectId),
  setCellNote: (viewer, { projectId }) => cellNotes.setCellNote(viewer, projectId, cell),
  listChannels: (viewer, { projectId }) => channels.listChannels(viewer, projectId),
  createChannel: (viewer, { projectId }) =>
    channels.createChannel(viewer, {
      projectId,
      kind: 'email',
      name: 'hijacked',
      target: 'a@example.com',
      secret: null,
    }),
  updateChannel: (viewer, { projectId, run }) =>
    channels.updateChannel(viewer, { projectId, channelId: run.id, name: 'hijacked' }, new Date()),
  deleteChannel: (viewer, { projectId, run }) => channels.deleteChannel(viewer, projectId, run.id),
  listDeliveries: (viewer, { projectId }) => deliveries.listDeliveries(viewer, projectId),
  replayDelivery: (viewer, { projectId, run }) => deliveries.replayDelivery(viewer, projectId, run.id, new Date()),
  saveMessage: (viewer, { projectId, run }) => {
    const context = { origin: '', project: { slug: '', name: '' }, at: '' }
    return deliveries.saveMessage(viewer, claimOf(projectId, run.id), testMessage('hijacked', context))
  },
  endTry: (viewer, { projectId, run }) =>
    deliveries.endTry(viewer, claimOf(projectId, run.id), { kind: 'delivered', statusCode: 204 }, ended),
  createTestDelivery: (viewer, { projectId, run }) =>
    deliveries.createTestDelivery(viewer, { projectId, channelId: run.id }, { now: ended.now, leaseUntil: ended.now }),
}

/** Of the whole installation, called by the server itself for nobody in particular: they name no project's data. */
const ofTheInstallation = [
  'sweepDrafts',
  'listStoredSha256',
  'sampleDataWasLoaded',
  'markSampleDataLoaded',
  'listDueSeries',
  'listProjectsWithMissingRules',
  'claimDeliveries',
  'sweepIdempotencyKeys',
  'foldTermCounts',
  'applyRetention',
  'emptyTrash',
]

/** Answers that say "nothing", where a query does not throw. */
const nothing: Readonly<Record<string, unknown>> = {
  listProjects: [],
  findProject: null,
  listLatestRuns: [],
  countOpenAlertsBySlug: {},
  findPreviousRun: null,
  listSameAttack: [],
  findBaselineRun: null,
}

it('lists every query of prisma/queries', async () => {
  const folder = path.join(import.meta.dirname, '../../prisma/queries')
  const exported: string[] = []
  for (const name of await readdir(folder)) {
    const module: Record<string, unknown> = await import(path.join(folder, name))
    exported.push(...Object.keys(module))
  }
  expect(exported.sort()).toEqual([...Object.keys(calls), ...ofTheInstallation].sort())
})

describeOnEngines('viewers', () => {
  let foreign: Target
  let missing: Target
  let own: ProjectSummary
  let ownRun: RunRow
  let before: { project: ProjectSummary; run: StoredRun; draft: UploadDetail; upload: UploadDetail }

  const lookAt = async ({ slug, projectId, run, draftId, uploadId }: Target) => ({
    project: await projects.getProject(localViewer, slug),
    run: await runs.getRun(localViewer, projectId, run.id),
    draft: await uploads.getUpload(localViewer, projectId, draftId),
    upload: await uploads.getUpload(localViewer, projectId, uploadId),
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
    before = await lookAt(foreign)
  })

  const outcome = async (call: Call, viewer: Viewer, target: Target) => {
    try {
      return { answer: await call(viewer, target) }
    } catch (error) {
      expect(error).toBeInstanceOf(NotFoundError)
      return { refused: String(error) }
    }
  }

  it('finds the foreign run for those who may see it', async () => {
    const found = await calls['listSameAttack']?.(localViewer, foreign)
    expect(found).toMatchObject([{ id: foreign.run.id }])
  })

  it('a stranger with a share link, or with none of its runs, gets nothing of anything', async () => {
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
    expect(await lookAt(foreign)).toEqual(before)
  })

  it('work for one project sees nothing of another', async () => {
    const viewer: Viewer = { kind: 'system', projectId: own.id }
    for (const [name, call] of Object.entries(calls)) {
      const [there, nowhere] = [await outcome(call, viewer, foreign), await outcome(call, viewer, missing)]
      expect(there, name).toEqual(nowhere)
      if (name === 'listProjects') expect(there).toEqual({ answer: [await projects.getProject(viewer, own.slug)] })
      else if (name === 'listLatestRuns') expect(there).toEqual({ answer: [ownRun] })
      else
        expect(there, name).toEqual(
          name in nothing ? { answer: nothing[name] } : { refused: expect.stringContaining('not found') },
        )
    }
    await expect(
      runs.moveRun(viewer, { projectId: own.id, runId: ownRun.id, toProjectSlug: foreign.slug }),
    ).rejects.toThrow(NotFoundError)
    expect(await runs.updateRun(viewer, own.id, ownRun.id, { notes: 'mine' })).toMatchObject({ notes: 'mine' })
    expect(await lookAt(foreign)).toEqual(before)
  })

  it('a share link reads its runs, changes none, and sees nothing beside them', async () => {
    const viewer: Viewer = { kind: 'share', runIds: [foreign.run.id] }
    expect((await runs.getRun(viewer, foreign.projectId, foreign.run.id)).id).toBe(foreign.run.id)
    expect((await runs.listLatestRuns(viewer, 10)).map((run) => run.id)).toEqual([foreign.run.id])
    await expect(runs.getRuns(viewer, foreign.projectId, [foreign.run.id, ownRun.id])).rejects.toThrow(NotFoundError)
    await expect(runs.getRunRows(viewer, foreign.projectId, [foreign.run.id, ownRun.id])).rejects.toThrow(NotFoundError)
    await expect(runs.getRun(viewer, own.id, foreign.run.id)).rejects.toThrow(NotFoundError)
    expect(await runs.findPreviousRun(viewer, foreign.run)).toBeNull()
    for (const name of Object.keys(calls).filter(
      (call) => !(call in nothing) && !['getRun', 'getRuns', 'getRunRows'].includes(call),
    )) {
      await expect(calls[name]?.(viewer, foreign), name).rejects.toThrow(NotFoundError)
    }
    expect(await lookAt(foreign)).toEqual(before)
  })

  it('ids of one project do not open through another', async () => {
    for (const [name, call] of Object.entries(calls)) {
      const mixed = { ...foreign, projectId: own.id, run: { ...foreign.run, projectId: own.id } }
      if (!/Run$|Runs$|Upload$|Draft$/.test(name) || /^(create|list|find|follow)/.test(name)) continue
      await expect(call(localViewer, mixed), name).rejects.toThrow(NotFoundError)
    }
    expect(await lookAt(foreign)).toEqual(before)
  })

  it('ids that cannot be are not found, whatever they hold', async () => {
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
