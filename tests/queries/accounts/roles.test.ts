import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError, TooManyRequestsError } from '@/lib/errors'
import { localViewer, type Role, type TokenScope, type Viewer } from '@/lib/viewer'
import * as accounts from '@/prisma/queries/accounts/accounts'
import * as audit from '@/prisma/queries/accounts/audit'
import * as invitations from '@/prisma/queries/accounts/invitations'
import * as members from '@/prisma/queries/accounts/members'
import { takePoint } from '@/prisma/queries/accounts/rate-limits'
import * as sessions from '@/prisma/queries/accounts/sessions'
import * as tokens from '@/prisma/queries/accounts/tokens'
import * as projects from '@/prisma/queries/projects/projects'
import * as runs from '@/prisma/queries/runs/runs'
import * as uploads from '@/prisma/queries/uploads/uploads'
import { describeOnEngines } from '../engines'
import { calls, type Target } from '../every-query'
import { sampleFile, sampleImport, sampleProject, sampleRun } from '../samples'

/** What an editor may do and a viewer may not. All others that name a project are for every member. */
const edits = [
  ...['moveAlert', 'commentAlert', 'assignAlert', 'addAnnotation', 'deleteAnnotation', 'createBadge', 'revokeBadge'],
  ...['setBaselineRun', 'clearBaselineRun', 'setCellNote', 'createComparison', 'updateComparison', 'deleteComparison'],
  ...['createExperiment', 'stopExperiment', 'createAttemptSession', 'startAttempt', 'concludeAttemptSession'],
  ...['setMapping', 'deleteMapping', 'markControl'],
  ...['saveRule', 'deleteRule', 'updateRun', 'deleteRun', 'restoreRun', 'moveRun', 'updateRuns', 'deleteRuns'],
  ...['saveMerge', 'splitRun'],
  ...['restoreFromTrash', 'createShare', 'revokeShare', 'setShareEmbeddable'],
  ...['replaceUploadRuns', 'deleteUpload', 'restoreUpload'],
]
const uploadsTo = [
  ...['createDraft', 'saveDraft', 'replaceDraftRuns', 'saveImport', 'discardDraft', 'findUploadTarget'],
  ...['getUploadMapping', 'reportProgress', 'cancelReported', 'giveNext', 'voidPlace', 'requirePlace'],
  ...['giveNextOfSession', 'voidPlaceOfSession', 'voidPlaceOfAttempt', 'isPlaceOfAttempt'],
  ...['followMissingRuns', 'followFailedImport', 'endFailedImports'],
]
/** What an admin may do and an editor may not. */
const administers = [
  ...['editProject', 'deleteProject', 'setRetention', 'destroyTrash'],
  ...['createChannel', 'updateChannel', 'deleteChannel', 'replayDelivery', 'createTestDelivery'],
  ...['listProjectTokens', 'revokeProjectToken', 'setMemberRole', 'removeMember'],
  ...['createInvitation', 'listInvitations', 'revokeInvitation', 'listAuditEntries'],
]
/** Concern the account itself, without a project. */
const ownAccount = [
  ...['getOwnAccount', 'renameOwnAccount', 'getOwnPasswordHash', 'setOwnPasswordHash', 'listAccounts', 'updateAccount'],
  'unlinkSubject',
  ...['listSessions', 'revokeSession', 'createToken', 'listOwnTokens', 'revokeOwnToken', 'createProject'],
]

const secret = () => randomBytes(32).toString('hex')
const now = () => new Date()

describeOnEngines('roles and scopes', (once) => {
  let own: Target
  let foreign: Target
  let accountOf: (role: Role | null, isOwner?: boolean) => Promise<Viewer & { kind: 'member' }>

  const targetOf = async (): Promise<Target> => {
    const project = await sampleProject()
    const input = sampleImport(project.id, sampleFile([sampleRun()]))
    const saved = await uploads.saveImport(localViewer, input)
    const draft = await uploads.createDraft(localViewer, sampleImport(project.id, sampleFile([sampleRun()])))
    const [run] = saved.runs
    if (run === undefined) throw new Error('nothing was saved')
    const ids = { projectId: project.id, slug: project.slug, ownSlug: project.slug }
    return { ...ids, uploadId: saved.upload.id, draftId: draft.id, run, sha256: input.sentSha256 }
  }

  beforeAll(async () => {
    own = await targetOf()
    foreign = await targetOf()
    const admin = localViewer
    accountOf = async (role, isOwner = false) => {
      const tokenSha256 = secret()
      if (role === null) await invitations.createOwnerInvitation(tokenSha256, now())
      else await inviteByProject(own.projectId, role, tokenSha256)
      const email = `${secret()}@example.com`
      const invited = { kind: 'new', email, name: 'Ada', passwordHash: null, subject: null } as const
      const accountId = await invitations.acceptInvitation(tokenSha256, invited, now())
      return { kind: 'member', accountId, name: 'Ada', isOwner: isOwner || role === null, sessionId: '0'.repeat(26) }
    }
    const inviteByProject = async (projectId: string, role: Role, tokenSha256: string) => {
      await invitations.createInvitation(admin, { email: null, into: { projectId, role }, tokenSha256 }, now())
    }
  })

  const outcome = async (name: string, viewer: Viewer, target: Target): Promise<string> => {
    try {
      const given = await calls[name]?.(viewer, target)
      return given === null || (Array.isArray(given) && given.length === 0) ? 'nothing' : 'done'
    } catch (error) {
      if (error instanceof ForbiddenError) return 'forbidden'
      if (error instanceof NotFoundError) return `${error.message}`
      if (error instanceof ConflictError || error instanceof InvalidInputError) return 'done'
      throw error
    }
  }
  const forbiddenTo = async (viewer: Viewer): Promise<readonly string[]> => {
    const names = Object.keys(calls).filter((name) => !ownAccount.includes(name))
    const found: string[] = []
    for (const name of names) if ((await outcome(name, viewer, own)) === 'forbidden') found.push(name)
    return found.sort()
  }

  once('a viewer changes nothing, and uploads nothing', async () => {
    expect(await forbiddenTo(await accountOf('viewer'))).toEqual([...edits, ...uploadsTo, ...administers].sort())
  })

  once('a member sees nothing of another project, and cannot distinguish it from a missing one', async () => {
    const none = '0'.repeat(26)
    const ids = { projectId: none, slug: 'no-such-project', uploadId: none, draftId: none }
    const missing = { ...foreign, ...ids, run: { ...foreign.run, id: none, projectId: none } }
    for (const role of ['viewer', 'editor', 'admin'] as const) {
      const viewer = await accountOf(role)
      for (const name of Object.keys(calls).filter((one) => !ownAccount.includes(one))) {
        if (/^list(Projects|ProjectNames|LatestRuns|ProjectNews|OpenAlerts)$/.test(name)) continue
        const there = await outcome(name, viewer, foreign)
        expect(there, `${role} ${name}`).toBe(await outcome(name, viewer, missing))
        expect(there, `${role} ${name}`).toMatch(/not found$|^nothing$/)
      }
      expect((await projects.listProjects(viewer)).map(({ id }) => id)).toEqual([own.projectId])
    }
  })

  once('a token can do what its scope allows, in its project only', async () => {
    const { accountId, name } = await accountOf('admin')
    const tokenOf = (scope: TokenScope, projectId: string | null = own.projectId): Viewer => {
      return { kind: 'token', tokenId: secret(), accountId, name, isOwner: false, scope, projectId }
    }
    expect(await forbiddenTo(tokenOf('read'))).toEqual([...edits, ...uploadsTo, ...administers].sort())
    const upload = await forbiddenTo(tokenOf('upload'))
    for (const name of uploadsTo) expect(upload, name).not.toContain(name)
    for (const name of ['getRun', 'listRuns', 'getProject', 'listUploads', ...edits, ...administers])
      expect(upload, name).toContain(name)
    for (const scope of ['read', 'upload', 'admin'] as const) {
      // In a project that the account may open, and the token may not.
      const elsewhere = tokenOf(scope, foreign.projectId)
      for (const name of ['getProject', 'saveImport', 'deleteRun', 'setRetention'])
        expect(await outcome(name, elsewhere, own), `${scope} ${name}`).toMatch(/not found|forbidden/)
    }
    await expect(accounts.getOwnAccount(tokenOf('read', null))).rejects.toThrow(ForbiddenError)
    await expect(accounts.getOwnAccount(tokenOf('admin'))).rejects.toThrow(NotFoundError)
    expect((await accounts.getOwnAccount(tokenOf('admin', null))).id).toBe(accountId)
  })

  it('a right that was lost in the meantime is checked again when the change is made', async () => {
    const editor = await accountOf('editor')
    const granted = await projects.grant(editor, { id: own.projectId }, 'edit')
    const administered = await projects.grant(localViewer, { id: own.projectId }, 'administer')
    await members.setMemberRole(administered, editor.accountId, 'viewer')
    await expect(runs.deleteRun(granted, own.run.id)).rejects.toThrow(ForbiddenError)
    await expect(runs.restoreRun(granted, own.run.id)).rejects.toThrow(ForbiddenError)
    const toRead = await projects.grant(editor, { id: own.projectId }, 'read')
    expect(await runs.getRun(toRead, own.run.id)).toMatchObject({ id: own.run.id })
  })

  once('what only owners see does not exist for others', async () => {
    const admin = await accountOf('admin')
    await expect(accounts.listAccounts(admin)).rejects.toThrow(NotFoundError)
    await expect(audit.listAuditEntries(admin, null, null)).rejects.toThrow(NotFoundError)
    await expect(invitations.listInvitations(admin, null, now())).rejects.toThrow(NotFoundError)
    const owner = await accountOf(null)
    expect((await accounts.listAccounts(owner)).map(({ id }) => id)).toContain(admin.accountId)
    expect((await projects.listProjects(owner)).map(({ id }) => id)).toContain(foreign.projectId)
  })

  it('a secret signs in until it has ended', async () => {
    const { accountId } = await accountOf('editor')
    const [first, second] = [secret(), secret()]
    const session = { accountId, userAgent: 'curl', address: '127.0.0.1' }
    await sessions.createSession({ ...session, tokenSha256: first }, now())
    await sessions.createSession({ ...session, tokenSha256: second }, now())
    const viewer = await sessions.findSessionViewer(first, now())
    expect(viewer).toMatchObject({ kind: 'member', accountId })
    if (viewer === null) return
    expect(await sessions.findSessionViewer(secret(), now())).toBeNull()
    const day = 24 * 3_600_000
    expect(await sessions.findSessionViewer(first, new Date(Date.now() + 8 * day))).toBeNull()
    for (let at = 1; at < 30; at += 6) await sessions.findSessionViewer(first, new Date(Date.now() + at * day))
    expect(await sessions.findSessionViewer(first, new Date(Date.now() + 31 * day))).toBeNull()
    expect(await sessions.listSessions(viewer, now())).toMatchObject([{ isOwn: true }, { isOwn: false }])
    // A new password ends the others if requested.
    await accounts.setOwnPasswordHash(viewer, 'hash', { signsOutElsewhere: false, tokenIds: [] }, now())
    expect(await sessions.findSessionViewer(second, now())).not.toBeNull()
    await accounts.setOwnPasswordHash(viewer, 'hash', { signsOutElsewhere: true, tokenIds: [] }, now())
    expect(await sessions.findSessionViewer(second, now())).toBeNull()
    expect(await sessions.findSessionViewer(first, now())).not.toBeNull()
    await sessions.revokeSession(viewer, viewer.sessionId)
    expect(await sessions.findSessionViewer(first, now())).toBeNull()
    // Disabling an account ends its sessions permanently.
    const third = secret()
    await sessions.createSession({ ...session, tokenSha256: third }, now())
    const owner = await accountOf(null)
    await accounts.updateAccount(owner, accountId, { isDisabled: true })
    expect(await sessions.findSessionViewer(third, now())).toBeNull()
    await accounts.updateAccount(owner, accountId, { isDisabled: false })
    expect(await sessions.findSessionViewer(third, now())).toBeNull()
  })

  it('a token ends when it is revoked, when it expires, and when its account is disabled', async () => {
    const member = await accountOf('editor')
    const make = async (expiresAt: Date | null) => {
      const token = { name: 'ci', scope: 'upload', projectId: own.projectId, hint: 't…', expiresAt } as const
      const tokenSha256 = secret()
      return { tokenSha256, row: await tokens.createToken(member, { ...token, tokenSha256 }, now()) }
    }
    const [kept, short] = [await make(null), await make(new Date(Date.now() + 60_000))]
    expect(await tokens.findTokenViewer(kept.tokenSha256, now())).toMatchObject({
      scope: 'upload',
      name: 'Ada (token ci)',
    })
    expect(await tokens.findTokenViewer(short.tokenSha256, new Date(Date.now() + 61_000))).toBeNull()
    expect((await tokens.listOwnTokens(member)).map(({ id }) => id)).toContain(kept.row.id)
    const other = await accountOf('editor')
    await expect(tokens.revokeOwnToken(other, kept.row.id, now())).rejects.toThrow(NotFoundError)
    const owner = await accountOf(null)
    await accounts.updateAccount(owner, member.accountId, { isDisabled: true })
    expect(await tokens.findTokenViewer(kept.tokenSha256, now())).toBeNull()
    await accounts.updateAccount(owner, member.accountId, { isDisabled: false })
    await tokens.revokeOwnToken(member, kept.row.id, now())
    expect(await tokens.findTokenViewer(kept.tokenSha256, now())).toBeNull()
    // Limited by the rights of its account.
    const reader = await accountOf('viewer')
    const upload = { name: 'ci', scope: 'upload', projectId: own.projectId, hint: 't…', expiresAt: null } as const
    await expect(tokens.createToken(reader, { ...upload, tokenSha256: secret() }, now())).rejects.toThrow(
      ForbiddenError,
    )
  })

  it('what a token creates never outlives it, and ends with it', async () => {
    const person = await accountOf('admin')
    const hourAt = new Date(Date.now() + 3_600_000)
    const spec = { name: 'ci', scope: 'admin', projectId: null, hint: 't…' } as const
    const make = async (maker: Viewer, expiresAt: Date | null) => {
      const tokenSha256 = secret()
      const row = await tokens.createToken(maker, { ...spec, tokenSha256, expiresAt }, now())
      const viewer = await tokens.findTokenViewer(tokenSha256, now())
      if (viewer === null) throw new Error('a new token signs in')
      return { row, viewer, isLive: async () => (await tokens.findTokenViewer(tokenSha256, now())) !== null }
    }
    const first = await make(person, hourAt)
    const child = await make(first.viewer, null)
    const grandchild = await make(child.viewer, new Date(hourAt.getTime() + 1))
    const sooner = await make(child.viewer, new Date(hourAt.getTime() - 1))
    const other = await make(person, null)
    expect([first, child, grandchild].map(({ row }) => row.expiresAt)).toEqual(Array(3).fill(hourAt.toISOString()))
    expect(sooner.row.expiresAt).toBe(new Date(hourAt.getTime() - 1).toISOString())
    expect(child.row.parent).toEqual({ id: first.row.id, name: 'ci' })
    const listed = await tokens.listOwnTokens(person)
    expect(listed.find(({ id }) => id === grandchild.row.id)?.parent?.id).toBe(child.row.id)
    const invite = async (maker: Viewer) => {
      const tokenSha256 = secret()
      const into = { projectId: own.projectId, role: 'viewer' } as const
      const made = await invitations.createInvitation(maker, { email: null, into, tokenSha256 }, now())
      return { made, isOpen: async () => (await invitations.findInvitation(tokenSha256, null, now())) !== null }
    }
    const link = await invite(grandchild.viewer)
    expect(link.made.expiresAt).toBe(hourAt.toISOString())
    const late = make(first.viewer, null).catch((error: unknown) => error)
    await tokens.revokeOwnToken(person, first.row.id, now())
    // Created at the same moment, it is gone or never existed.
    const made = await late
    const names = (await tokens.listOwnTokens(person)).map(({ id }) => id)
    expect(names, String(made)).toEqual([other.row.id])
    for (const one of [first, child, grandchild, sooner]) expect(await one.isLive()).toBe(false)
    expect(await link.isOpen()).toBe(false)
    await expect(make(child.viewer, null)).rejects.toThrow(/not valid/)
    await expect(invite(child.viewer)).rejects.toThrow(/not valid/)
    // A new password revokes the selected ones.
    const [kept, ended] = [await make(person, null), await make(person, null)]
    const below = await make(ended.viewer, null)
    const ends = { signsOutElsewhere: false, tokenIds: [ended.row.id] }
    await expect(accounts.setOwnPasswordHash(await accountOf('admin'), 'hash', ends, now())).rejects.toThrow(
      NotFoundError,
    )
    await accounts.setOwnPasswordHash(person, 'hash', ends, now())
    expect(await Promise.all([kept, ended, below, other].map(({ isLive }) => isLive()))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  it('an invitation is used once, by the invited person', async () => {
    const tokenSha256 = secret()
    const into = { projectId: own.projectId, role: 'editor' } as const
    const email = `${secret()}@example.com`
    await invitations.createInvitation(localViewer, { email: email.toUpperCase(), into, tokenSha256 }, now())
    const accept = (address: string) =>
      invitations.acceptInvitation(
        tokenSha256,
        { kind: 'new', email: address, name: 'Eve', passwordHash: null, subject: null },
        now(),
      )
    await expect(accept('eve@example.com')).rejects.toThrow(/is for/)
    const invited = await Promise.allSettled([accept(email), accept(email), accept(email)])
    expect(invited.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await invitations.findInvitation(tokenSha256, null, now())).toBeNull()
    const listed = await members.listMembers(await projects.grant(localViewer, { id: own.projectId }, 'read'))
    expect(listed.filter((one) => one.email === email)).toMatchObject([{ role: 'editor', name: 'Eve' }])
  })

  it('keeps an owner and an admin, however many leave at once', async () => {
    const project = await projects.createProject(await accountOf('editor'), {
      slug: `p${secret().slice(0, 20)}`,
      name: 'P',
    })
    const granted = await projects.grant(localViewer, project, 'administer')
    const [only] = await members.listMembers(granted)
    if (only === undefined) throw new Error('its maker is no member')
    expect(only.role).toBe('admin')
    await expect(members.removeMember(granted, only.accountId)).rejects.toThrow(ConflictError)
    await expect(members.setMemberRole(granted, only.accountId, 'viewer')).rejects.toThrow(ConflictError)
    const owner = await accountOf(null)
    const owners = (await accounts.listAccounts(owner)).filter((one) => one.isOwner && one.disabledAt === null)
    const left = await Promise.allSettled(
      owners.map(({ id }) => accounts.updateAccount(owner, id, { isDisabled: true })),
    )
    expect(left.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  })

  it('counts a limit across concurrent requests', async () => {
    const limit = { name: 'test', points: 5, seconds: 60 }
    const key = secret()
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => takePoint(limit, key)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const refused = asked.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: expect.any(TooManyRequestsError) })
    await takePoint(limit, secret())
  })
})
