import { expect, it } from 'vitest'
import { accessTable, routeOf } from '../server/access/access-table'
import { listRoutes } from '../server/access/list-routes'

it('the access table has a row for every route, and a route for every row', async () => {
  const routes = await listRoutes()
  expect(routes.length).toBeGreaterThan(100)
  expect([...new Set(Object.keys(accessTable).map(routeOf))].sort()).toEqual(routes)
})
