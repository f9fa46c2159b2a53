/** `npm start`: builds when the sources changed, then serves what was built, with no compiler in the server's process. */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// V8 lets a heap grow to several times what is in use before it collects all of it: after an upload of thousands of runs
// that is hundreds of megabytes.
setFlagsFromString('--heap-growing-percent=40')

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
process.env.NODE_ENV = 'production'
const current = path.resolve(process.env.TAILBOARD_NEXT_DIR || '.next', 'current')
const load = (build, name) => import(pathToFileURL(path.join(build, name)).href)

async function isCurrent() {
  if (!existsSync(path.join(current, 'build-state.mjs'))) return false
  const build = realpathSync(current)
  const { hashSources, isBuiltFrom } = await load(build, 'build-state.mjs')
  return isBuiltFrom(hashSources(root), build)
}

if (!(await isCurrent())) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
// From here on it is this one, whatever is built later.
process.env.TAILBOARD_BUILD = realpathSync(current)
await load(process.env.TAILBOARD_BUILD, 'start.mjs')
