/**
 * What `npm start` runs when the sources changed: the build and what the server adds to it. Settings are read first.
 */
import { EX_CONFIG, failStart } from '../app/_server/lifecycle'
import { log } from '../app/_server/observe/log'
import { readSettings } from '../app/_server/settings'
import { buildOnce } from './build-once'
import { buildsFolder, currentBuild } from './build-state'
import { bundleCommands, commands } from './bundle-commands'
import { copyViewer } from './bundle-viewer'
import { findBundle } from './find-bundle.js'
import { finishBuild } from './finish-build'
import { runBuild } from './run-build'

process.env.NEXT_TELEMETRY_DISABLED = '1'
try {
  readSettings(process.env)
} catch (error) {
  failStart(error, EX_CONFIG)
}
const root = process.cwd()
const say = (line: string) => log('info', line)
async function make(folder: string): Promise<void> {
  await runBuild(folder, say)
  await finishBuild(root, folder)
}
await buildOnce({ root, builds: buildsFolder(root), make, say }).catch(failStart)
copyViewer(root, currentBuild(buildsFolder(root)))
if (commands.some((name) => findBundle(name) === null)) await bundleCommands(root).catch(failStart)
