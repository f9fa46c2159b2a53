import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const routesSchema = z.array(z.object({ page: z.string(), regex: z.string() }))
const manifestSchema = z.object({ staticRoutes: routesSchema, dynamicRoutes: routesSchema })

/** The parts of an address that its route has a name for, decoded. */
export type RouteParams = Readonly<Record<string, string>>

/** The route of an address, named like its folder: `/p/[project]/runs/[run]`. There are few, whatever is requested. */
export interface FoundRoute {
  readonly name: string
  /** Throws a URIError when they cannot be decoded. */
  readonly params: () => RouteParams
}

/** Null: there is none. */
export type FindRoute = (url: string) => FoundRoute | null

/** Reads the routes of a build. In development there is none, and no route is found. */
export async function readRoutePatterns(buildFolder: string | null): Promise<FindRoute> {
  if (buildFolder === null) return () => null
  const text = await readFile(path.join(buildFolder, 'routes-manifest.json'), 'utf8')
  const { staticRoutes, dynamicRoutes } = manifestSchema.parse(JSON.parse(text))
  const fixed = new Map(staticRoutes.map(({ page }) => [page, fixedRoute(page)]))
  // In the order in which Next tries them.
  const others = dynamicRoutes.map(({ page, regex }) => ({ page, regex: new RegExp(regex) }))
  return (url) => {
    const [address = ''] = url.split('?', 1)
    const own = fixed.get(address === '/' ? address : address.replace(/\/$/, ''))
    if (own !== undefined) return own
    if (address.startsWith('/_next/')) return fixedRoute('/_next')
    for (const { page, regex } of others) {
      const parts = regex.exec(address)
      if (parts !== null) return { name: page, params: () => paramsOf(page, parts.slice(1)) }
    }
    return null
  }
}

const fixedRoute = (name: string): FoundRoute => ({ name, params: () => ({}) })

/** `[run]` and `[...rest]`, in the order of the pattern's groups. */
function paramsOf(page: string, parts: readonly string[]): RouteParams {
  const keys = [...page.matchAll(/\[(?:\.{3})?(\w+)\]/g)].map(([, key = '']) => key)
  return Object.fromEntries(keys.map((key, at) => [key, decodeURIComponent(parts[at] ?? '')]))
}
