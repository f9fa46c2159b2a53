import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const current = path.resolve(root, process.env.TAILBOARD_NEXT_DIR || '.next', 'current')

/** A bundle of a build. */
export const load = (build, name) => import(pathToFileURL(path.join(build, name)).href)

/** The folder of the latest build. */
export const newestBuild = () => realpathSync(current)

/** Whether this is what `npm run package` made: one build, and no sources that could differ from it. */
const isPackage = !existsSync(path.join(root, 'next.config.js'))

/** The folder of the build of the current sources; null: there is none. */
export async function servedBuild() {
  if (isPackage) return withItsSettings(newestBuild())
  if (!existsSync(path.join(current, 'build-state.mjs'))) return null
  const build = newestBuild()
  const { hashSources, isBuiltFrom } = await load(build, 'build-state.mjs')
  return isBuiltFrom(hashSources(root), build) ? build : null
}

/** Next reads what the build made of its settings, instead of a file and the compiler that would be asked about it. */
function withItsSettings(build) {
  const { config } = JSON.parse(readFileSync(path.join(build, 'required-server-files.json'), 'utf8'))
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify({ ...config, distDir: path.relative(root, build) })
  return build
}
