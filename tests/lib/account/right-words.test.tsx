import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { holders, roleRefusal, roleWords, scopeWords } from '@/lib/account/right-words'
import { roles, tokenScopes } from '@/lib/viewer'

describe('who may do what, in words', () => {
  it('says what a role adds to the one below it', () => {
    expect(roles.map((role) => `${role}: ${roleWords(role)}`)).toEqual([
      'viewer: reads everything',
      'editor: uploads, edits, shares, handles alerts',
      'admin: also settings, channels and members',
    ])
    expect(holders('administer')).toBe('Admins')
    expect(roleRefusal('viewer', 'upload')).toBe('Your role in this project is viewer, which may not upload to it')
  })

  it('says what a token of a scope does', () => {
    expect(tokenScopes.map(scopeWords)).toEqual([
      'Sends output to one project and gets its verdict. Reads nothing else.',
      'Reads runs, comparisons and alerts. Changes nothing.',
      'Everything that your account may do.',
    ])
  })
})

describe('if viewers may upload', () => {
  afterEach(() => {
    vi.doUnmock('@/lib/viewer')
    vi.resetModules()
  })

  it('the words of roles, what pages offer, and the API’s words follow from that one edit', async () => {
    const tables = await vi.importActual<typeof import('@/lib/viewer')>('@/lib/viewer')
    const roleAllows: typeof tables.roleAllows = (role, need) => need === 'upload' || tables.roleAllows(role, need)
    vi.resetModules()
    vi.doMock('@/lib/viewer', () => ({ ...tables, roleAllows }))
    const words = await import('@/lib/account/right-words')
    expect([words.roleWords('viewer'), words.roleWords('editor'), words.holders('upload')]).toEqual([
      'reads everything, uploads',
      'edits, shares, handles alerts',
      'Viewers',
    ])
    const { needs } = await import('@/app/_server/operations/operation')
    expect(needs.upload).toMatch(/^For viewers of the project/)
    const { AccessProvider, IfAllowed, Refusal } = await import('@/components/ui/actions/access')
    const page = (need: 'upload' | 'edit') =>
      renderToStaticMarkup(
        <AccessProvider access={{ project: null, role: 'viewer', hasAccounts: true }}>
          <IfAllowed need={need} otherwise={<Refusal need={need} />}>
            offered
          </IfAllowed>
        </AccessProvider>,
      )
    expect(page('upload')).toBe('offered')
    expect(page('edit')).toBe('Your role in this project is viewer, which may not change what is in it.')
  })
})
