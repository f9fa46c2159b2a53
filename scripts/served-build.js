import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const current = path.resolve(root, process.env.TAILBOARD_NEXT_DIR || '.next', 'current')

/** A bundle of a build. */
export const load = (build, name) => import(pathToFileURL(path.join(build, name)).href)

/** The folder of the latest build. */
export const newestBuild = () => realpathSync(current)

/** The folder of the build of the current sources; null: there is none. */
export async function servedBuild() {
  if (!existsSync(path.join(current, 'build-state.mjs'))) return null
  const build = newestBuild()
  const { hashSources, isBuiltFrom } = await load(build, 'build-state.mjs')
  return isBuiltFrom(hashSources(root), build) ? build : null
}
