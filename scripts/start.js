/** `npm start`: builds when the sources changed, then serves what was built, with no compiler in the server's process. */
import { spawnSync } from 'node:child_process'
import { setFlagsFromString } from 'node:v8'
import { load, newestBuild, root, servedBuild } from './served-build.js'

// V8 lets a heap grow to several times its live size before a full collection: after an upload of thousands of runs,
// that is hundreds of megabytes.
setFlagsFromString('--heap-growing-percent=40')

process.chdir(root)
process.env.NODE_ENV = 'production'

let build = await servedBuild()
if (build === null) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  build = newestBuild()
}
// From here on it is this build, whatever is built later.
process.env.TAILBOARD_BUILD = build
await load(build, 'start.mjs')
