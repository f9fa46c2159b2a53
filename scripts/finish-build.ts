import path from 'node:path'
import { buildFolder, markBuild } from './build-state'
import { bundleServer, bundleWorker } from './bundles'
import { packStatic } from './pack-static'
import { shareChunks } from './share-chunks'

/** Adds what Next does not build, and remembers what the build was made of. */
export async function finishBuild(root: string): Promise<void> {
  await bundleWorker(root)
  await bundleServer(root)
  const built = buildFolder(root)
  await packStatic(path.join(built, 'static'))
  for (const chunks of ['server/chunks', 'server/chunks/ssr']) await shareChunks(path.join(built, chunks))
  markBuild(root)
}
