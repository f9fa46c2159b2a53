import { expect, it } from 'vitest'
import { needs, roleAllows, roles, scopeAllows, tokenScopes } from '@/lib/viewer'

/** The server, OpenAPI, the pages and the access table of the tests all follow from these two tables. */
it('the rights of project roles do not change', () => {
  expect(Object.fromEntries(roles.map((role) => [role, needs.filter((need) => roleAllows(role, need))]))).toEqual({
    viewer: ['read'],
    editor: ['read', 'upload', 'edit'],
    admin: ['read', 'upload', 'edit', 'administer'],
  })
})

it('the rights of token scopes do not change', () => {
  const allowed = tokenScopes.map((scope) => [scope, needs.filter((need) => scopeAllows(scope, need))])
  expect(Object.fromEntries(allowed)).toEqual({
    upload: ['upload'],
    read: ['read'],
    admin: ['read', 'upload', 'edit', 'administer'],
  })
})
