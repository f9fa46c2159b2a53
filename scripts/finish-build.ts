import path from 'node:path'
import { buildFolder, markBuild } from './build-state'
import { bundleServer, bundleWorker } from './bundles'
import { packStatic } from './pack-static'

/** Adds what Next does not build, and remembers what the build was made of. */
export async function finishBuild(root: string): Promise<void> {
  await bundleWorker(root)
  await bundleServer(root)
  await packStatic(path.join(buildFolder(root), 'static'))
  markBuild(root)
}
