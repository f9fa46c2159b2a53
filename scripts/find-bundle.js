import { readFileSync, statSync } from 'node:fs'

const root = new URL('..', import.meta.url)

/** The address of a command's bundle in `dist`; null: there is none, or one of its sources has changed since. */
export function findBundle(name) {
  try {
    const inputs = JSON.parse(readFileSync(new URL(`dist/${name}.inputs.json`, root), 'utf8'))
    const isCurrent = ([file, mtimeMs, size]) => {
      const found = statSync(new URL(file, root))
      return found.mtimeMs === mtimeMs && found.size === size
    }
    return inputs.every(isCurrent) ? new URL(`dist/${name}.mjs`, root).href : null
  } catch {
    return null
  }
}
