import type { Plugin } from 'esbuild'
import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Text of a module at `root` with all routes, by the names of their folders, what opens the data, and what pages are drawn for. */
export function routesModule(root: string): string {
  const entries = readdirSync(path.join(root, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'route.ts' && !file.startsWith('_'))
    .sort()
    .map((file) => path.dirname(file).split(path.sep).join('/'))
    .map((name) => `[${JSON.stringify(`/${name}`)}, () => import(${JSON.stringify(`./app/${name}/route`)})],`)
  const others = [
    "export { openOnce } from './instrumentation'",
    "export { readFrame } from './app/_server/pages/read-frame'",
  ]
  return [...others, 'export const routes = new Map([', ...entries, '])'].join('\n')
}

/**
 * Refuses what needs Next in code that runs without it; `next/og` draws pictures on its own, and `start.ts` runs Next.
 */
export const withoutNext: Plugin = {
  name: 'without-next',
  setup({ onResolve }) {
    onResolve({ filter: /^next(?:\/|$)/ }, ({ path: name, importer }) => {
      if (path.basename(importer) === 'start.ts') return { path: name, external: true }
      // Node finds Next's files by name and extension only.
      if (name === 'next/og') return { path: `${name}.js`, external: true }
      return {
        errors: [{ text: `${name} is imported by ${importer}, which a route needs, and routes run without Next.` }],
      }
    })
  },
}
