/** `npm start`: builds when the sources changed, then serves what was built, with no compiler in the server's process. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// V8 lets a heap grow to several times what is in use before it collects all of it: after an upload of thousands of runs
// that is hundreds of megabytes.
setFlagsFromString('--heap-growing-percent=40')

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
process.env.NODE_ENV = 'production'
const built = (name) => path.resolve(process.env.TAILBOARD_NEXT_DIR ?? '.next', name)
const load = (name) => import(pathToFileURL(built(name)).href)

const isCurrent = existsSync(built('build-state.mjs')) && (await load('build-state.mjs')).buildIsCurrent(root)
if (!isCurrent) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
await load('start.mjs')
