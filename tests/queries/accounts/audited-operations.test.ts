import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeSecret, sha256Of } from '@/app/_server/credentials/secret-token'
import { sessionCookieName } from '@/app/_server/credentials/session-cookie'
import { testChannel } from '@/app/_server/operations/channels'
import { deleteRun, restoreRun } from '@/app/_server/operations/runs/runs'
import { deleteUpload, restoreUpload } from '@/app/_server/operations/runs/uploads'
import { makeMcpServer } from '@/app/mcp/tools'
import { localViewer } from '@/lib/viewer'
import { listAuditEntries } from '@/prisma/queries/accounts/audit'
import { acceptInvitation, createOwnerInvitation } from '@/prisma/queries/accounts/invitations'
import { createSession } from '@/prisma/queries/accounts/sessions'
import { createChannel } from '@/prisma/queries/alerts/channels'
import { grant } from '@/prisma/queries/projects/projects'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeEmbedded } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun } from '../samples'

describeEmbedded('the audit log of an operation', () => {
  const secret = makeSecret()
  let folder: string
  let project: { readonly id: string; readonly slug: string }

  beforeAll(async () => {
    vi.stubEnv('TAILBOARD_AUTH', 'on')
    vi.stubEnv('TAILBOARD_SECRET_KEY', 'of the tests, 32 characters long')
    folder = await mkdtemp(path.join(tmpdir(), 'tailboard-audit-'))
    vi.stubEnv('TAILBOARD_DATA', folder)
    const now = new Date()
    const invitation = sha256Of(makeSecret())
    await createOwnerInvitation(invitation, now)
    const ada = { kind: 'new', email: 'ada@example.com', name: 'Ada', passwordHash: null, subject: null } as const
    const accountId = await acceptInvitation(invitation, ada, now)
    await createSession({ accountId, tokenSha256: sha256Of(secret), userAgent: '', address: '' }, now)
    project = await sampleProject()
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })

  type Handler = (
    request: Request,
    context: { readonly params: Promise<Readonly<Record<string, string>>> },
  ) => Promise<Response>
  const post = async (operation: Handler, params: Readonly<Record<string, string>>) => {
    const headers = { cookie: `${sessionCookieName}=${secret}` }
    const request = new Request('http://localhost/', { method: 'POST', headers })
    return operation(request, { params: Promise.resolve({ project: project.slug, ...params }) })
  }
  const logged = async () =>
    (await listAuditEntries(localViewer, project.id, null)).entries.map(({ action, subject }) => ({ action, subject }))

  it('names what was restored, and nothing that was not in the trash', async () => {
    const { runs, upload } = await saveImport(localViewer, sampleImport(project.id, sampleFile([sampleRun()])))
    const [run = '', trashed] = [runs[0]?.id, upload.id]
    for (const [operation, params] of [
      [restoreRun, { run }],
      [restoreUpload, { upload: trashed }],
    ] as const) {
      const response = await post(operation, params)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not-found', detail: expect.stringMatching(/in the trash/) })
    }
    expect(await logged()).toEqual([])
    expect((await post(deleteRun, { run })).status).toBe(204)
    expect((await post(restoreRun, { run })).status).toBe(204)
    expect((await post(deleteUpload, { upload: trashed })).status).toBe(204)
    expect((await post(restoreUpload, { upload: trashed })).status).toBe(204)
    expect((await post(restoreUpload, { upload: trashed })).status).toBe(404)
    expect((await logged()).map(({ action }) => action)).toEqual([
      ...['upload.restore', 'upload.delete', 'run.restore', 'run.delete'],
    ])
  })

  it('names what an agent uploaded, and the agent hears as much as curl does', async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    // Of the agent's message, not of the file in it.
    const headers = { host: 'localhost', 'content-digest': `sha-256=:${'A'.repeat(43)}=:`, 'content-encoding': 'gzip' }
    const server = makeMcpServer(localViewer, new Request('http://localhost/mcp', { headers }))
    const client = new Client({ name: 'tests', version: '1' })
    await Promise.all([server.connect(ours), client.connect(theirs)])
    const upload = async (name: string, content: string) => {
      const { content: said } = await client.callTool({
        name: 'upload',
        arguments: { project: project.slug, name, content, labels: ['commit=4f2a'] },
      })
      return JSON.stringify(said)
    }
    const output = await readFile(path.join(import.meta.dirname, '../../fixtures/hey-text/http2.txt'), 'utf8')
    expect(await upload('http2.txt', output)).toMatch(new RegExp(`/p/${project.slug}/runs/\\w{26}`))
    expect((await logged())[0]).toMatchObject({ action: 'upload.create', subject: { name: 'http2.txt' } })
    expect(await upload('none.txt', 'no output of any tool')).toMatch(
      new RegExp(`unknown-format: .* See it at: http://\\S+/p/${project.slug}/upload/\\w{26}`),
    )
    await client.close()
  })

  it('says whether the test message of a channel was delivered', async () => {
    const own = await grant(localViewer, project, 'administer')
    // Nothing listens there, and webhooks may not go to this machine.
    const target = 'https://127.0.0.1:9/'
    const made = { kind: 'slack', name: 'Ops', targetShown: '127.0.0.1', target, secret: null } as const
    const channel = await createChannel(own, made)
    const response = await post(testChannel, { channel: channel.id })
    expect(await response.json()).toMatchObject({ kind: 'failed' })
    expect((await logged())[0]).toEqual({
      action: 'channel.test',
      subject: { channel: channel.id, name: 'not delivered' },
    })
  })
})
