import { expect, it } from 'vitest'
import { needs, roleAllows, roles, scopeAllows, tokenScopes } from '@/lib/viewer'

/** The server, OpenAPI, the pages and the access table of the tests all follow from these two tables. */
it('a role of a project allows what it did', () => {
  expect(Object.fromEntries(roles.map((role) => [role, needs.filter((need) => roleAllows(role, need))]))).toEqual({
    viewer: ['read'],
    editor: ['read', 'upload', 'edit'],
    admin: ['read', 'upload', 'edit', 'administer'],
  })
})

it('a scope of a token allows what it did', () => {
  const allowed = tokenScopes.map((scope) => [scope, needs.filter((need) => scopeAllows(scope, need))])
  expect(Object.fromEntries(allowed)).toEqual({
    upload: ['upload'],
    read: ['read'],
    admin: ['read', 'upload', 'edit', 'administer'],
  })
})
