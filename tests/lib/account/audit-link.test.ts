import { expect, it } from 'vitest'
import type { AuditAction } from '@/lib/account/audit'
import { auditHref } from '@/lib/account/audit-link'

const project = { slug: 'shop', name: 'Shop' }
const hrefOf = (action: AuditAction, subject: Readonly<Record<string, string>> = {}) =>
  auditHref({ action, subject, project })

it('links an entry to its subject, and nowhere if that is gone', () => {
  expect(hrefOf('alert.assign', { alert: 'a', account: 'b' })).toBe('/p/shop/alerts/a')
  expect(hrefOf('alert.move', { alert: 'a' })).toBe('/p/shop/alerts/a')
  expect(hrefOf('upload.create', { upload: 'u', name: 'out.txt' })).toBe('/p/shop/runs?upload=u')
  expect(hrefOf('project.create', { name: 'Shop' })).toBe('/p/shop')
  expect(hrefOf('member.update', { account: 'b' })).toBe('/p/shop/members')
  expect(hrefOf('run.delete', { run: 'r' })).toBe('/p/shop/trash')
  expect(hrefOf('upload.delete', { upload: 'u' })).toBe('/p/shop/trash')
  expect(hrefOf('upload.delete', { upload: 'u', draft: 'u', name: 'a draft, discarded' })).toBeNull()
  expect(hrefOf('rule.delete', { rule: 'r' })).toBeNull()
  expect(hrefOf('run.move', { run: 'r' })).toBeNull()
  expect(hrefOf('retention.set')).toBeNull()
  expect(auditHref({ action: 'session.create', subject: {}, project: null })).toBeNull()
})
