import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Operations that a route file exports: their names and methods. */
export const exportedOperations = (
  source: string,
): readonly (readonly [noun: string, name: string, method: string])[] =>
  [...source.matchAll(/^export \{([^}]+)\} from '@\/app\/_server\/operations\/([\w/-]+)'/gm)].flatMap(
    ([, names = '', noun = '']) =>
      [...names.matchAll(/(\w+) as (\w+)/g)].map(([, name = '', method = '']) => [noun, name, method] as const),
  )

/** Every method of every route file, and every page, as the access table names them. */
export async function listRoutes(): Promise<readonly string[]> {
  const root = path.join(import.meta.dirname, '../../../app')
  const found: string[] = []
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const folder = path.relative(root, entry.parentPath)
    if (!entry.isFile() || folder.startsWith('_')) continue
    if (entry.name === 'page.tsx') found.push(`PAGE /${folder}`)
    if (entry.name !== 'route.ts') continue
    const text = await readFile(path.join(entry.parentPath, entry.name), 'utf8')
    for (const [, , method] of exportedOperations(text)) found.push(`${method} /${folder}`)
    for (const [, method] of text.matchAll(/^export (?:const|(?:async )?function) (GET|POST|PUT|PATCH|DELETE)\b/gm))
      found.push(`${method} /${folder}`)
  }
  return found.sort()
}
