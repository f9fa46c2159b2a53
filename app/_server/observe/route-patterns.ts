import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const routesSchema = z.array(z.object({ page: z.string(), regex: z.string() }))
const manifestSchema = z.object({ staticRoutes: routesSchema, dynamicRoutes: routesSchema })

/**
 * The route of an address, named like its folder: `/p/[project]/runs/[run]`. `other`: none. There are few, whatever is
 * requested.
 */
export type RouteOf = (url: string) => string

/** Reads the routes of a build. In development there is none, and every route is `other`. */
export async function readRoutePatterns(buildFolder: string | null): Promise<RouteOf> {
  if (buildFolder === null) return () => 'other'
  const text = await readFile(path.join(buildFolder, 'routes-manifest.json'), 'utf8')
  const { staticRoutes, dynamicRoutes } = manifestSchema.parse(JSON.parse(text))
  const routes = [...staticRoutes, ...dynamicRoutes].map(({ page, regex }) => ({ page, regex: new RegExp(regex) }))
  return (url) => {
    const address = url.split('?', 1)[0] ?? ''
    if (address.startsWith('/_next/')) return '/_next'
    return routes.find(({ regex }) => regex.test(address))?.page ?? 'other'
  }
}
