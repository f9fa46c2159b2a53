import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { ConflictError, NotFoundError } from '@/lib/errors'
import { localViewer, roles, type Role, type Viewer } from '@/lib/viewer'
import * as accounts from '@/prisma/queries/accounts/accounts'
import * as invitations from '@/prisma/queries/accounts/invitations'
import * as members from '@/prisma/queries/accounts/members'
import * as projects from '@/prisma/queries/projects/projects'
import { describeOnEngines } from '../engines'
import { caseCount } from '../../case-count'

type Person = Viewer & { readonly kind: 'member' }

/** A step by someone who may do everything: `who` is the index of the affected account. */
type Step =
  | { readonly kind: 'role' | 'invite'; readonly who: number; readonly role: Role }
  | { readonly kind: 'remove' | 'disable' | 'enable' | 'own' | 'disown'; readonly who: number }

const people = 4
const who = fc.nat(people - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('role' as const, 'invite' as const), who, role: fc.constantFrom(...roles) }),
  fc.record({ kind: fc.constantFrom('remove', 'disable', 'enable', 'own', 'disown'), who }),
)

const secret = () => randomBytes(32).toString('hex')
const now = () => new Date()

describeOnEngines('administrators', (once) => {
  let persons: readonly Person[]
  const person = (at: number): Person => {
    const found = persons[at]
    if (found === undefined) throw new Error(`no person ${at}`)
    return found
  }

  beforeAll(async () => {
    const join = async (): Promise<Person> => {
      const tokenSha256 = secret()
      await invitations.createOwnerInvitation(tokenSha256, now())
      const email = `${secret()}@example.com`
      const invited = { kind: 'new', email, name: 'Ada', passwordHash: null, subject: null } as const
      const accountId = await invitations.acceptInvitation(tokenSha256, invited, now())
      return { kind: 'member', accountId, name: 'Ada', isOwner: true, sessionId: '0'.repeat(26) }
    }
    const made: Person[] = []
    while (made.length < people) made.push(await join())
    persons = made
  })

  /** A project with one admin, the first person; the second is another owner of the installation. */
  const begin = async (): Promise<string> => {
    for (const { accountId } of persons) await accounts.updateAccount(person(0), accountId, { isDisabled: false })
    for (const [at, { accountId }] of persons.entries())
      await accounts.updateAccount(person(0), accountId, { isOwner: at < 2 })
    return (await projects.createProject(person(0), { slug: `p${secret().slice(0, 20)}`, name: 'P' })).id
  }
  const listed = async () => {
    const all = await accounts.listAccounts(person(0))
    return all.filter(({ id }) => persons.some(({ accountId }) => accountId === id))
  }
  /** Roles of accounts that may sign in. */
  const rolesOf = async (projectId: string) =>
    new Map(
      (await members.listMembers(await projects.grant(localViewer, { id: projectId }, 'read'))).map((one) => [
        one.accountId,
        one.role,
      ]),
    )

  const take = async (projectId: string, one: Step): Promise<void> => {
    const { accountId } = person(one.who)
    // A different owner, because those who disable themselves hand over to no one.
    const owner = (await listed()).find(
      ({ isOwner, disabledAt, id }) => isOwner && disabledAt === null && id !== accountId,
    )
    const by: Person = { ...person(0), accountId: owner?.id ?? accountId }
    switch (one.kind) {
      case 'role':
        return members.setMemberRole(await projects.grant(by, { id: projectId }, 'administer'), accountId, one.role)
      case 'remove':
        return members.removeMember(await projects.grant(by, { id: projectId }, 'administer'), accountId)
      case 'invite': {
        const tokenSha256 = secret()
        const into = { projectId, role: one.role }
        await invitations.createInvitation(by, { email: null, into, tokenSha256 }, now())
        await invitations.acceptInvitation(tokenSha256, { kind: 'member', accountId }, now())
        return
      }
      case 'disable':
      case 'enable':
        await accounts.updateAccount(by, accountId, { isDisabled: one.kind === 'disable' })
        return
      case 'own':
      case 'disown':
        await accounts.updateAccount(by, accountId, { isOwner: one.kind === 'own' })
    }
  }
  const ifRefused = (error: unknown): void => {
    if (!(error instanceof ConflictError || error instanceof NotFoundError)) throw error
  }
  const expectAdministrators = async (projectId: string): Promise<void> => {
    expect([...(await rolesOf(projectId)).values()]).toContain('admin')
    expect((await listed()).some(({ isOwner, disabledAt }) => isOwner && disabledAt === null)).toBe(true)
  }

  once('exist after any sequence of roles, removals, invitations and disabled accounts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const projectId = await begin()
        for (const one of steps) {
          const before = (await rolesOf(projectId)).get(person(one.who).accountId)
          await take(projectId, one).catch(ifRefused)
          await expectAdministrators(projectId)
          if (one.kind !== 'invite' || before === undefined) continue
          const after = (await rolesOf(projectId)).get(person(one.who).accountId)
          expect(roles.indexOf(after ?? 'viewer')).toBeGreaterThanOrEqual(roles.indexOf(before))
          expect(after).toBe(roles.indexOf(one.role) > roles.indexOf(before) ? one.role : before)
        }
      }),
      { numRuns: caseCount(10) },
    )
  })

  it('exist however many steps run at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const projectId = await begin()
        await members.setMemberRole(
          await projects.grant(localViewer, { id: projectId }, 'administer'),
          person(0).accountId,
          'admin',
        )
        await Promise.all(steps.map((one) => take(projectId, one).catch(ifRefused)))
        await expectAdministrators(projectId)
      }),
      { numRuns: caseCount(10) },
    )
  })

  it('are replaced by the owner who disables the last one', async () => {
    const projectId = await begin()
    const { accountId } = person(0)
    await expect(accounts.updateAccount(person(0), accountId, { isDisabled: true })).rejects.toThrow(/last admin of P/)
    await accounts.updateAccount(person(1), accountId, { isDisabled: true })
    expect([...(await rolesOf(projectId))]).toEqual([[person(1).accountId, 'admin']])
    await accounts.updateAccount(person(1), accountId, { isDisabled: false })
  })
})
