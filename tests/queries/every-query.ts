import { randomBytes } from 'node:crypto'
import { testMessage } from '@/lib/rules/alert-message'
import { columnMappingSchema } from '@/lib/run/column-mapping'
import { defaultMetric, metrics } from '@/lib/run/metrics'
import type { RunRow, StoredRun } from '@/lib/history/stored-runs'
import { alertStates } from '@/lib/rules/stored-alerts'
import type { Viewer } from '@/lib/viewer'
import * as accounts from '@/prisma/queries/accounts/accounts'
import * as audit from '@/prisma/queries/accounts/audit'
import * as invitations from '@/prisma/queries/accounts/invitations'
import * as sampleMappings from '@/prisma/queries/uploads/sample-mappings'
import * as mergedRuns from '@/prisma/queries/runs/merged-runs'
import * as members from '@/prisma/queries/accounts/members'
import * as sessions from '@/prisma/queries/accounts/sessions'
import * as tokens from '@/prisma/queries/accounts/tokens'
import * as alerts from '@/prisma/queries/alerts/alerts'
import * as instrument from '@/prisma/queries/series/instrument'
import * as badges from '@/prisma/queries/series/badges'
import * as annotations from '@/prisma/queries/series/annotations'
import * as baselines from '@/prisma/queries/runs/baselines'
import * as board from '@/prisma/queries/series/board'
import * as attemptSessions from '@/prisma/queries/projects/attempt-sessions'
import * as experiments from '@/prisma/queries/projects/experiments'
import * as comparisons from '@/prisma/queries/projects/comparisons'
import * as cellNotes from '@/prisma/queries/projects/cell-notes'
import * as channels from '@/prisma/queries/alerts/channels'
import * as deliveries from '@/prisma/queries/alerts/deliveries'
import * as evaluations from '@/prisma/queries/alerts/evaluations'
import * as environments from '@/prisma/queries/series/environments'
import * as neighbours from '@/prisma/queries/runs/run-neighbours'
import * as uploadProgress from '@/prisma/queries/uploads/upload-progress'
import * as frames from '@/prisma/queries/projects/frames'
import * as projectVersions from '@/prisma/queries/projects/project-versions'
import * as projects from '@/prisma/queries/projects/projects'
const { grant } = projects
import * as projectEvents from '@/prisma/queries/alerts/project-events'
import * as ruleHistory from '@/prisma/queries/alerts/rule-history'
import * as rules from '@/prisma/queries/alerts/rules'
import * as runs from '@/prisma/queries/runs/runs'
import * as cubes from '@/prisma/queries/runs/cubes'
import * as runsBeside from '@/prisma/queries/runs/runs-beside'
import * as series from '@/prisma/queries/series/series'
import * as shares from '@/prisma/queries/projects/shares'
import * as trends from '@/prisma/queries/series/trends'
import * as trash from '@/prisma/queries/projects/trash'
import * as uploadList from '@/prisma/queries/uploads/upload-list'
import * as uploads from '@/prisma/queries/uploads/uploads'
import { sampleFile, sampleImport, sampleLatency, sampleRun } from './samples'

/** Arguments for a call: things in a project that the viewer may not see, or things that do not exist. */
export interface Target {
  readonly projectId: string
  readonly slug: string
  readonly uploadId: string
  readonly draftId: string
  readonly run: RunRow
  readonly sha256: string
  /** A project that the viewer may see, if there is one. */
  readonly ownSlug: string
}

export type Call = (viewer: Viewer, target: Target) => Promise<unknown>

/** The runs of a project, or those of it that a share shows. */
const runsOf = async (viewer: Viewer, id: string) =>
  viewer.kind === 'share' ? { viewer, id } : grant(viewer, { id }, 'read')

const ownMapping = columnMappingSchema.parse({ kind: 'csv', latency: { column: 'took', unit: 'ms' } })
const noHash = '0'.repeat(64)
const newHash = () => randomBytes(32).toString('hex')
const tokenOf = (projectId: string) =>
  ({ name: 'hijacked', scope: 'upload', projectId, tokenSha256: newHash(), hint: 't', expiresAt: null }) as const
const mergeOf = (projectId: string, run: RunRow) => {
  const [imported] = file.runs
  if (imported === undefined) throw new Error('a file of one run')
  const upload = sampleImport(projectId, sampleFile([]))
  const more = { imported, upload, judgement: null, counted: null, notes: '', environmentAttributes: {} } as const
  const part = { ...run, ...more, upload: { ...upload, id: run.uploadId } } as unknown as StoredRun
  const names = { ...cell, labels: {}, notes: '', candidate: false, counted: null }
  return { parts: [part], imported, names, upload }
}
const cell = { scenario: 'S', variant: null, environment: null, text: 'hijacked' }
const file = sampleFile([sampleRun({ command: 'hijacked' })])
/** From the same attack as the foreign run, if that were visible. */
const exactRun = sampleRun({ form: 'hey-csv', latencies: [sampleLatency()] })
const page = { sort: 'time', direction: 'desc', limit: 10 } as const

const someProgress = { receivedBytes: 1, readBytes: 1, isStoring: false, uploadId: null }
const claimOf = (projectId: string, id: string) => ({ id, projectId, channelId: id, isFailing: true })
const nowhere = { origin: '', project: { slug: '', name: '' }, repositoryUrl: null, at: '' }
const ended = { now: new Date(), random: 0, scale: 1, channelOff: () => testMessage('', nowhere) }

/** Every query by name. A new one fails the first test until it is added here. */
export const calls: Readonly<Record<string, Call>> = {
  listProjects: (viewer) => projects.listProjects(viewer),
  listProjectNews: (viewer, { projectId }) => projects.listProjectNews(viewer, [{ id: projectId }], 60),
  readVersions: async (viewer, { projectId }) =>
    projectVersions.readVersions([await grant(viewer, { id: projectId }, 'read')], new Date()),
  listProjectNames: (viewer) => frames.listProjectNames(viewer),
  getOwnAccount: (viewer) => accounts.getOwnAccount(viewer),
  renameOwnAccount: (viewer) => accounts.renameOwnAccount(viewer, 'hijacked'),
  getOwnPasswordHash: (viewer) => accounts.getOwnPasswordHash(viewer),
  setOwnPasswordHash: (viewer) =>
    accounts.setOwnPasswordHash(viewer, 'hijacked', { signsOutElsewhere: true, tokenIds: [] }, new Date()),
  listAccounts: (viewer) => accounts.listAccounts(viewer),
  unlinkSubject: (viewer, { run }) => accounts.unlinkSubject(viewer, run.id),
  updateAccount: (viewer, { run }) => accounts.updateAccount(viewer, run.id, { isOwner: true }),
  listSessions: (viewer) => sessions.listSessions(viewer, new Date()),
  revokeSession: (viewer, { run }) => sessions.revokeSession(viewer, run.id),
  createToken: (viewer, { projectId }) => tokens.createToken(viewer, tokenOf(projectId), new Date()),
  listOwnTokens: (viewer) => tokens.listOwnTokens(viewer),
  listProjectTokens: async (viewer, { projectId }) =>
    tokens.listProjectTokens(await grant(viewer, { id: projectId }, 'administer')),
  revokeOwnToken: (viewer, { run }) => tokens.revokeOwnToken(viewer, run.id, new Date()),
  revokeProjectToken: async (viewer, { projectId, run }) =>
    tokens.revokeProjectToken(await grant(viewer, { id: projectId }, 'administer'), run.id, new Date()),
  listMembers: async (viewer, { projectId }) => members.listMembers(await grant(viewer, { id: projectId }, 'read')),
  setMemberRole: async (viewer, { projectId, run }) =>
    members.setMemberRole(await grant(viewer, { id: projectId }, 'administer'), run.id, 'admin'),
  removeMember: async (viewer, { projectId, run }) =>
    members.removeMember(await grant(viewer, { id: projectId }, 'administer'), run.id),
  createInvitation: (viewer, { projectId }) => {
    const into = { projectId, role: 'admin' } as const
    return invitations.createInvitation(viewer, { email: null, into, tokenSha256: newHash() }, new Date())
  },
  listInvitations: (viewer, { projectId }) => invitations.listInvitations(viewer, projectId, new Date()),
  revokeInvitation: (viewer, { projectId, run }) => invitations.revokeInvitation(viewer, projectId, run.id),
  listAuditEntries: (viewer, { projectId }) => audit.listAuditEntries(viewer, projectId, null),
  findUploadTarget: (viewer, { slug }) => projects.findUploadTarget(viewer, slug, 'upload'),
  reportProgress: async (viewer, { projectId }) =>
    uploadProgress.reportProgress(await grant(viewer, { id: projectId }, 'upload'), crypto.randomUUID(), someProgress),
  findReportedProgress: async (viewer, { projectId }) =>
    uploadProgress.findReportedProgress(await grant(viewer, { id: projectId }, 'read'), crypto.randomUUID()),
  cancelReported: async (viewer, { projectId }) =>
    uploadProgress.cancelReported(await grant(viewer, { id: projectId }, 'upload'), crypto.randomUUID()),
  getRunCount: async (viewer, { projectId }) => projects.getRunCount(await grant(viewer, { id: projectId }, 'read')),
  getProject: (viewer, { slug }) => projects.getProject(viewer, slug),
  grant: (viewer, { slug }) => projects.grant(viewer, { slug }, 'read'),
  findProject: (viewer, { slug }) => projects.findProject(viewer, slug),
  createProject: (viewer) => projects.createProject(viewer, { slug: 'hijacked', name: 'hijacked' }),
  editProject: async (viewer, { slug }) =>
    projects.editProject(await grant(viewer, { slug }, 'administer'), { name: 'hijacked' }),
  deleteProject: async (viewer, { slug }) => projects.deleteProject(await grant(viewer, { slug }, 'administer')),
  getUpload: async (viewer, { projectId, uploadId }) =>
    uploads.getUpload(await grant(viewer, { id: projectId }, 'read'), uploadId),
  listUploadContents: async (viewer, { projectId, uploadId }) =>
    uploadList.listUploadContents(await grant(viewer, { id: projectId }, 'read'), [{ id: uploadId }]),
  listUploads: async (viewer, { projectId }) =>
    uploadList.listUploads(await grant(viewer, { id: projectId }, 'read'), { limit: 10 }),
  findSavedUploadBySentSha256: async (viewer, { projectId, sha256 }) =>
    uploads.findSavedUploadBySentSha256(await grant(viewer, { id: projectId }, 'read'), sha256),
  createDraft: (viewer, { projectId }) => uploads.createDraft(viewer, sampleImport(projectId, file)),
  saveDraft: async (viewer, { projectId, draftId }) =>
    uploads.saveDraft(await grant(viewer, { id: projectId }, 'upload'), { uploadId: draftId, edits: [] }),
  saveImport: (viewer, { projectId }) => uploads.saveImport(viewer, sampleImport(projectId, file)),
  replaceUploadRuns: async (viewer, { projectId, uploadId }) =>
    uploads.replaceUploadRuns(await grant(viewer, { id: projectId }, 'edit'), { uploadId, file }),
  deleteUpload: async (viewer, { projectId, uploadId }) =>
    uploads.deleteUpload(await grant(viewer, { id: projectId }, 'edit'), uploadId),
  restoreUpload: async (viewer, { projectId, uploadId }) =>
    uploads.restoreUpload(await grant(viewer, { id: projectId }, 'edit'), uploadId),
  replaceDraftRuns: async (viewer, { projectId, draftId }) => {
    const mapping = { name: 'hijacked', mapping: ownMapping }
    return uploads.replaceDraftRuns(await grant(viewer, { id: projectId }, 'upload'), {
      uploadId: draftId,
      file,
      mapping,
    })
  },
  discardDraft: async (viewer, { projectId, draftId }) =>
    uploads.discardDraft(await grant(viewer, { id: projectId }, 'upload'), draftId),
  listRuns: async (viewer, { projectId }) => runs.listRuns(await grant(viewer, { id: projectId }, 'read'), {}, page),
  listUploadRuns: async (viewer, { projectId, uploadId }) =>
    runs.listUploadRuns(await grant(viewer, { id: projectId }, 'read'), uploadId),
  getRun: async (viewer, { projectId, run }) => runs.getRun(await runsOf(viewer, projectId), run.id),
  getRuns: async (viewer, { projectId, run }) => runs.getRuns(await runsOf(viewer, projectId), [run.id]),
  getRunRows: async (viewer, { projectId, run }) => runs.getRunRows(await runsOf(viewer, projectId), [run.id]),
  updateRun: async (viewer, { projectId, run }) =>
    runs.updateRun(await grant(viewer, { id: projectId }, 'edit'), run.id, { notes: 'hijacked' }),
  deleteRun: async (viewer, { projectId, run }) =>
    runs.deleteRun(await grant(viewer, { id: projectId }, 'edit'), run.id),
  restoreRun: async (viewer, { projectId, run }) =>
    runs.restoreRun(await grant(viewer, { id: projectId }, 'edit'), run.id),
  moveRun: async (viewer, { projectId, run, ownSlug }) =>
    runs.moveRun(await grant(viewer, { id: projectId }, 'edit'), { runId: run.id, toProjectSlug: ownSlug }),
  listPasts: async (viewer, { projectId, run }) =>
    runs.listPasts(await grant(viewer, { id: projectId }, 'read'), [run.id], defaultMetric),
  listRepeats: async (viewer, { projectId, run }) =>
    runs.listRepeats(await grant(viewer, { id: projectId }, 'read'), [run.id]),
  listFacets: async (viewer, { projectId }) => runs.listFacets(await grant(viewer, { id: projectId }, 'read')),
  getRetention: async (viewer, { projectId }) => projects.getRetention(await grant(viewer, { id: projectId }, 'read')),
  setRetention: async (viewer, { projectId }) =>
    projects.setRetention(await grant(viewer, { id: projectId }, 'administer'), { keepRawDays: 1, keepRunsDays: 1 }),
  listTrash: async (viewer, { projectId }) => trash.listTrash(await grant(viewer, { id: projectId }, 'read')),
  saveMerge: async (viewer, { projectId, run }) =>
    mergedRuns.saveMerge(await grant(viewer, { id: projectId }, 'edit'), mergeOf(projectId, run)),
  splitRun: async (viewer, { projectId, run }) =>
    mergedRuns.splitRun(await grant(viewer, { id: projectId }, 'edit'), run.id),
  listParts: async (viewer, { projectId, run }) =>
    mergedRuns.listParts(await grant(viewer, { id: projectId }, 'read'), run.id),
  findMergedInto: async (viewer, { projectId, run }) =>
    mergedRuns.findMergedInto(await grant(viewer, { id: projectId }, 'read'), run.id),
  updateRuns: async (viewer, { projectId, run }) =>
    trash.updateRuns(await grant(viewer, { id: projectId }, 'edit'), [run.id], { scenario: 'hijacked' }),
  deleteRuns: async (viewer, { projectId, run }) =>
    trash.deleteRuns(await grant(viewer, { id: projectId }, 'edit'), [run.id]),
  restoreFromTrash: async (viewer, { projectId, uploadId }) =>
    trash.restoreFromTrash(await grant(viewer, { id: projectId }, 'edit'), { runIds: [], uploadIds: [uploadId] }),
  destroyTrash: async (viewer, { projectId, run }) =>
    trash.destroyTrash(await grant(viewer, { id: projectId }, 'administer'), { runIds: [run.id], uploadIds: [] }),
  listPastRuns: async (viewer, { run }) =>
    neighbours.listPastRuns(await grant(viewer, { id: run.projectId }, 'read'), run),
  findRunsBeside: async (viewer, { run }) => {
    const granted = await grant(viewer, { id: run.projectId }, 'read')
    return runsBeside.findRunsBeside(granted, { ...run, imported: exactRun })
  },
  listCubes: async (viewer, { projectId, run }) => cubes.listCubes(await runsOf(viewer, projectId), [run.id]),
  readRunMapping: async (viewer, { projectId, run }) =>
    cubes.readRunMapping(await grant(viewer, { id: projectId }, 'read'), run.id),
  listBoard: async (viewer, { projectId }) => board.listBoard(await grant(viewer, { id: projectId }, 'read')),
  listBoardRuns: async (viewer, { projectId, run }) =>
    board.listBoardRuns(await grant(viewer, { id: projectId }, 'read'), [run.id]),
  listFailures: async (viewer, { projectId, run }) =>
    runs.listFailures(await runsOf(viewer, projectId), [{ id: run.id, figures: { ...run.figures, errorRatio: 1 } }]),
  listFanRuns: async (viewer, { projectId, run }) =>
    board.listFanRuns(await grant(viewer, { id: projectId }, 'read'), [run.id]),
  newestOfSeries: async (viewer, { projectId, run }) =>
    board.newestOfSeries(await grant(viewer, { id: projectId }, 'read'), run.seriesId),
  readPastJudgements: async (viewer, { projectId, run }) =>
    board.readPastJudgements(await grant(viewer, { id: projectId }, 'read'), {
      metric: defaultMetric,
      sinceOf: new Map([[run.seriesId, run.orderedAt]]),
      runIds: [run.id],
    }),
  listSeries: async (viewer, { projectId }) => series.listSeries(await grant(viewer, { id: projectId }, 'read')),
  getRunPoints: async (viewer, { projectId, run }) =>
    series.getRunPoints(await grant(viewer, { id: projectId }, 'read'), [run.id]),
  listKnownNames: async (viewer, { projectId }) =>
    series.listKnownNames(await grant(viewer, { id: projectId }, 'read')),
  getSeries: async (viewer, { projectId, run }) =>
    series.getSeries(await grant(viewer, { id: projectId }, 'read'), run.seriesId),
  getTrends: async (viewer, { projectId, run }) =>
    trends.getTrends(await grant(viewer, { id: projectId }, 'read'), { seriesIds: [run.seriesId], metrics, runs: 100 }),
  getTrendsSoFar: async (viewer, { projectId, run }) =>
    trends.getTrendsSoFar(
      await grant(viewer, { id: projectId }, 'read'),
      { seriesIds: [run.seriesId], metrics, runs: 100 },
      1,
    ),
  listSeriesNoise: async (viewer, { projectId, run }) =>
    trends.listSeriesNoise(await grant(viewer, { id: projectId }, 'read'), [run.seriesId]),
  listInstrumentRuns: async (viewer, { projectId }) =>
    instrument.listInstrumentRuns(await grant(viewer, { id: projectId }, 'read'), 'staging'),
  getSeriesHistories: async (viewer, { projectId, run }) =>
    series.getSeriesHistories(await grant(viewer, { id: projectId }, 'read'), [run.seriesId]),
  assignAlert: async (viewer, { projectId, run }) => {
    const toNobody = { alertId: run.id, accountId: null }
    return alerts.assignAlert(await grant(viewer, { id: projectId }, 'edit'), toNobody, new Date())
  },
  listOpenAlerts: (viewer) => alerts.listOpenAlerts(viewer, 20),
  listAlerts: async (viewer, { projectId }) =>
    alerts.listAlerts(await grant(viewer, { id: projectId }, 'read'), alertStates),
  listFindings: async (viewer, { projectId, run }) =>
    alerts.listFindings(await grant(viewer, { id: projectId }, 'read'), [run.seriesId]),
  getAlert: async (viewer, { projectId, run }) =>
    alerts.getAlert(await grant(viewer, { id: projectId }, 'read'), run.id),
  moveAlert: async (viewer, { projectId, run }) => {
    const move = { alertId: run.id, to: 'resolved' } as const
    return alerts.moveAlert(await grant(viewer, { id: projectId }, 'edit'), move, new Date())
  },
  commentAlert: async (viewer, { projectId, run }) => {
    const comment = { alertId: run.id, text: 'Known' }
    return alerts.commentAlert(await grant(viewer, { id: projectId }, 'edit'), comment, new Date())
  },
  countRuleAlerts: async (viewer, { projectId }) =>
    ruleHistory.countRuleAlerts(await grant(viewer, { id: projectId }, 'read')),
  listRunTimes: async (viewer, { projectId }) => {
    const scope = { scenario: null, seriesId: null }
    return ruleHistory.listRunTimes(await grant(viewer, { id: projectId }, 'read'), scope, '2000-01-01T00:00:00.000Z')
  },
  listFailedUploads: async (viewer, { projectId }) =>
    ruleHistory.listFailedUploads(await grant(viewer, { id: projectId }, 'read'), '2000-01-01T00:00:00.000Z'),
  followMissingRuns: async (viewer, { projectId }) =>
    projectEvents.followMissingRuns(await grant(viewer, { id: projectId }, 'upload'), new Date()),
  followFailedImport: async (viewer, { projectId, uploadId }) =>
    projectEvents.followFailedImport(
      await grant(viewer, { id: projectId }, 'upload'),
      { id: uploadId, name: 'hijacked', message: '' },
      new Date(),
    ),
  endFailedImports: async (viewer, { projectId }) =>
    projectEvents.endFailedImports(await grant(viewer, { id: projectId }, 'upload'), new Date()),
  listNeighbourhood: async (viewer, { projectId }) =>
    environments.listNeighbourhood(await grant(viewer, { id: projectId }, 'read'), 'staging'),
  listEnvironments: async (viewer, { projectId }) =>
    environments.listEnvironments(await grant(viewer, { id: projectId }, 'read')),
  listReportedShifts: async (viewer, { projectId }) =>
    environments.listReportedShifts(await grant(viewer, { id: projectId }, 'read')),
  getEnvironment: async (viewer, { projectId }) =>
    environments.getEnvironment(await grant(viewer, { id: projectId }, 'read'), 'staging'),
  markControl: async (viewer, { projectId, run }) =>
    environments.markControl(await grant(viewer, { id: projectId }, 'edit'), run.seriesId, true),
  listAnnotations: async (viewer, { projectId }) =>
    annotations.listAnnotations(await grant(viewer, { id: projectId }, 'read'), null),
  addAnnotation: async (viewer, { projectId }) => {
    const note = { kind: 'deploy', text: 'hijacked', at: '2026-01-01T00:00:00.000Z', scenario: null } as const
    return annotations.addAnnotation(await grant(viewer, { id: projectId }, 'edit'), note)
  },
  deleteAnnotation: async (viewer, { projectId, run }) =>
    annotations.deleteAnnotation(await grant(viewer, { id: projectId }, 'edit'), run.id),
  listRules: async (viewer, { projectId }) => rules.listRules(await grant(viewer, { id: projectId }, 'read')),
  listReferenceRuns: async (viewer, { projectId, run }) => {
    const settings = {
      kind: 'baseline',
      metricIds: [],
      direction: 'worse',
      leastEffectRatio: 0.1,
      confirmRuns: 1,
    } as const
    const rule = { settings: { ...settings, runIds: [run.id] } }
    return rules.listReferenceRuns(await grant(viewer, { id: projectId }, 'read'), [rule])
  },
  saveRule: async (viewer, { projectId }) => {
    const everywhere = { ruleId: null, scenario: null, seriesId: null, isEnabled: true, mutedUntil: null } as const
    const rule = { ...everywhere, settings: { kind: 'missing', hours: 1 } } as const
    return rules.saveRule(await grant(viewer, { id: projectId }, 'edit'), rule, new Date())
  },
  deleteRule: async (viewer, { projectId }) =>
    rules.deleteRule(await grant(viewer, { id: projectId }, 'edit'), projectId, new Date()),
  findDueSeries: async (viewer, { projectId, run }) =>
    evaluations.findDueSeries(await grant(viewer, { id: projectId }, 'read'), run.seriesId),
  getEvaluationInput: async (viewer, { projectId, run }) =>
    evaluations.getEvaluationInput(await grant(viewer, { id: projectId }, 'read'), [run.seriesId], 400),
  saveEvaluations: async (viewer, { projectId, run }) => {
    const due = { projectId, seriesId: run.seriesId, onlyJudgement: false, dueIds: ['0'] }
    const found = { due, version: '', evaluations: [], candidates: [] }
    return evaluations.saveEvaluations(await grant(viewer, { id: projectId }, 'read'), [found], new Date())
  },
  updateGuards: async (viewer, { projectId, run }) =>
    evaluations.updateGuards(await grant(viewer, { id: projectId }, 'read'), [run.seriesId]),
  getJudgements: async (viewer, { projectId, run }) =>
    runs.getJudgements(await grant(viewer, { id: projectId }, 'read'), [run.id]),
  listCandidateRepeats: async (viewer, { projectId, run }) =>
    neighbours.listCandidateRepeats(await grant(viewer, { id: projectId }, 'read'), [run]),
  countInvalidRepeats: async (viewer, { projectId, run }) =>
    neighbours.countInvalidRepeats(await grant(viewer, { id: projectId }, 'read'), [run]),
  createShare: async (viewer, { projectId, run }) => {
    const view = { kind: 'run', runIds: [run.id], sideSizes: [1], view: '', notes: '', includeRaw: true } as const
    const share = { ...view, name: 'hijacked', tokenSha256: noHash, expiresAt: null }
    return shares.createShare(await grant(viewer, { id: projectId }, 'edit'), share)
  },
  listShares: async (viewer, { projectId }) => shares.listShares(await grant(viewer, { id: projectId }, 'read')),
  revokeShare: async (viewer, { projectId, run }) =>
    shares.revokeShare(await grant(viewer, { id: projectId }, 'edit'), run.id, new Date()),
  setShareEmbeddable: async (viewer, { projectId, run }) =>
    shares.setShareEmbeddable(await grant(viewer, { id: projectId }, 'edit'), run.id, true),
  openShare: (viewer, { run }) => shares.openShare(viewer, run.id, { now: new Date(), counted: true }),
  createBadge: async (viewer, { projectId, run }) =>
    badges.createBadge(await grant(viewer, { id: projectId }, 'edit'), {
      seriesId: run.seriesId,
      metricId: 'p99',
      label: 'hijacked',
      tokenSha256: noHash,
    }),
  listBadges: async (viewer, { projectId, run }) =>
    badges.listBadges(await grant(viewer, { id: projectId }, 'read'), run.seriesId),
  revokeBadge: async (viewer, { projectId, run }) =>
    badges.revokeBadge(await grant(viewer, { id: projectId }, 'edit'), run.id, new Date()),
  openBadge: (viewer, { run }) => badges.openBadge(viewer, run.id),
  createAttemptSession: async (viewer, { projectId }) =>
    attemptSessions.createAttemptSession(await grant(viewer, { id: projectId }, 'edit'), {
      ...{ question: 'Q', base: 'a', metricId: 'p99', smallestRatio: 0.02, maxRounds: 32 },
      ...{ plannedAttempts: 20, maxRuns: 1_000 },
    }),
  listAttemptSessions: async (viewer, { projectId }) =>
    attemptSessions.listAttemptSessions(await grant(viewer, { id: projectId }, 'read')),
  getAttemptSession: async (viewer, { projectId, run }) =>
    attemptSessions.getAttemptSession(await grant(viewer, { id: projectId }, 'read'), run.id),
  startAttempt: async (viewer, { projectId, run }) =>
    attemptSessions.startAttempt(await grant(viewer, { id: projectId }, 'edit'), run.id, { name: 'A', digest: null }),
  concludeAttemptSession: async (viewer, { projectId, run }) =>
    attemptSessions.concludeAttemptSession(await grant(viewer, { id: projectId }, 'edit'), run.id),
  giveNextOfSession: async (viewer, { projectId, run }) =>
    attemptSessions.giveNextOfSession(await grant(viewer, { id: projectId }, 'upload'), run.id, Date.now()),
  voidPlaceOfSession: async (viewer, { projectId, run }) =>
    attemptSessions.voidPlaceOfSession(await grant(viewer, { id: projectId }, 'upload'), run.id, {
      ...{ round: 1, arm: 'best', reason: 'x' },
    }),
  voidPlaceOfAttempt: async (viewer, { projectId, run }) =>
    attemptSessions.voidPlaceOfAttempt(await grant(viewer, { id: projectId }, 'upload'), run.id, {
      ...{ round: 1, arm: 'best', reason: 'x' },
    }),
  isPlaceOfAttempt: async (viewer, { projectId, run }) =>
    attemptSessions.isPlaceOfAttempt(await grant(viewer, { id: projectId }, 'upload'), {
      ...{ experiment: run.id, arm: 'best' },
    }),
  createExperiment: async (viewer, { projectId }) =>
    experiments.createExperiment(await grant(viewer, { id: projectId }, 'edit'), {
      ...{ question: 'hijacked', base: 'a', head: 'b', hasControl: false },
      ...{ metricId: 'p99', smallestRatio: 0.05, maxRounds: 24 },
    }),
  listExperiments: async (viewer, { projectId }) =>
    experiments.listExperiments(await grant(viewer, { id: projectId }, 'read')),
  pageOfExperiments: async (viewer, { projectId }) =>
    experiments.pageOfExperiments(await grant(viewer, { id: projectId }, 'read'), null),
  getExperiment: async (viewer, { projectId, run }) =>
    experiments.getExperiment(await grant(viewer, { id: projectId }, 'read'), run.id),
  giveNext: async (viewer, { projectId, run }) =>
    experiments.giveNext(await grant(viewer, { id: projectId }, 'upload'), run.id, Date.now()),
  voidPlace: async (viewer, { projectId, run }) =>
    experiments.voidPlace(await grant(viewer, { id: projectId }, 'upload'), run.id, {
      round: 1,
      arm: 'base',
      reason: 'x',
    }),
  stopExperiment: async (viewer, { projectId, run }) =>
    experiments.stopExperiment(await grant(viewer, { id: projectId }, 'edit'), run.id, new Date()),
  requirePlace: async (viewer, { projectId, run }) =>
    experiments.requirePlace(await grant(viewer, { id: projectId }, 'upload'), { experiment: run.id, arm: 'base' }),
  listComparisons: async (viewer, { projectId }) =>
    comparisons.listComparisons(await grant(viewer, { id: projectId }, 'read')),
  getComparison: async (viewer, { projectId, run }) =>
    comparisons.getComparison(await grant(viewer, { id: projectId }, 'read'), run.id),
  createComparison: async (viewer, { projectId }) =>
    comparisons.createComparison(await grant(viewer, { id: projectId }, 'edit'), { name: 'hijacked', kind: 'matrix' }),
  updateComparison: async (viewer, { projectId, run }) =>
    comparisons.updateComparison(await grant(viewer, { id: projectId }, 'edit'), run.id, { name: 'hijacked' }),
  deleteComparison: async (viewer, { projectId, run }) =>
    comparisons.deleteComparison(await grant(viewer, { id: projectId }, 'edit'), run.id),
  listBaselines: async (viewer, { projectId }) =>
    baselines.listBaselines(await grant(viewer, { id: projectId }, 'read')),
  setBaselineRun: async (viewer, { projectId, run }) =>
    baselines.setBaselineRun(await grant(viewer, { id: projectId }, 'edit'), run.id),
  clearBaselineRun: async (viewer, { projectId, run }) =>
    baselines.clearBaselineRun(await grant(viewer, { id: projectId }, 'edit'), run.id),
  listMappings: async (viewer, { projectId }) =>
    sampleMappings.listMappings(await grant(viewer, { id: projectId }, 'read')),
  getMapping: async (viewer, { projectId }) =>
    sampleMappings.getMapping(await grant(viewer, { id: projectId }, 'read'), 'own'),
  getUploadMapping: async (viewer, { projectId }) =>
    sampleMappings.getUploadMapping(await grant(viewer, { id: projectId }, 'upload'), 'own'),
  setMapping: async (viewer, { projectId }) => {
    const mapping = { name: 'hijacked', mapping: ownMapping }
    return sampleMappings.setMapping(await grant(viewer, { id: projectId }, 'edit'), mapping, new Date())
  },
  deleteMapping: async (viewer, { projectId }) =>
    sampleMappings.deleteMapping(await grant(viewer, { id: projectId }, 'edit'), 'own'),
  listCellNotes: async (viewer, { projectId }) =>
    cellNotes.listCellNotes(await grant(viewer, { id: projectId }, 'read')),
  setCellNote: async (viewer, { projectId }) =>
    cellNotes.setCellNote(await grant(viewer, { id: projectId }, 'edit'), cell),
  listChannels: async (viewer, { projectId }) => channels.listChannels(await grant(viewer, { id: projectId }, 'read')),
  createChannel: async (viewer, { projectId }) =>
    channels.createChannel(await grant(viewer, { id: projectId }, 'administer'), {
      kind: 'email',
      name: 'hijacked',
      targetShown: 'a@example.com',
      target: 'a@example.com',
      secret: null,
    }),
  updateChannel: async (viewer, { projectId, run }) => {
    const edits = { channelId: run.id, name: 'hijacked' }
    return channels.updateChannel(await grant(viewer, { id: projectId }, 'administer'), edits, new Date())
  },
  deleteChannel: async (viewer, { projectId, run }) =>
    channels.deleteChannel(await grant(viewer, { id: projectId }, 'administer'), run.id),
  listDeliveries: async (viewer, { projectId }) =>
    deliveries.listDeliveries(await grant(viewer, { id: projectId }, 'read')),
  replayDelivery: async (viewer, { projectId, run }) =>
    deliveries.replayDelivery(await grant(viewer, { id: projectId }, 'administer'), run.id, new Date()),
  saveMessage: (viewer, { projectId, run }) => {
    const context = { origin: '', project: { slug: '', name: '' }, repositoryUrl: null, at: '' }
    return deliveries.saveMessage(viewer, claimOf(projectId, run.id), testMessage('hijacked', context))
  },
  endTry: (viewer, { projectId, run }) =>
    deliveries.endTry(viewer, claimOf(projectId, run.id), { kind: 'delivered', statusCode: 204 }, ended),
  createTestDelivery: async (viewer, { projectId, run }) => {
    const lease = { now: ended.now, leaseUntil: ended.now }
    return deliveries.createTestDelivery(await grant(viewer, { id: projectId }, 'administer'), run.id, lease)
  },
}
