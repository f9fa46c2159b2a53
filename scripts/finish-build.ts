import { rmSync } from 'node:fs'
import path from 'node:path'
import { bundleViewer } from './bundle-viewer'
import { bundleServer, bundleWorkers } from './bundles'
import { packFile, packStatic } from './pack-static'
import { shareChunks } from './share-chunks'

/** Adds to a build what Next does not make, and removes what only Next reads: its cache, larger than all the rest. */
export async function finishBuild(root: string, folder: string): Promise<void> {
  await bundleWorkers(root, folder)
  await bundleServer(root, folder)
  await packFile(await bundleViewer(root, folder))
  await packStatic(path.join(folder, 'static'))
  for (const chunks of ['server/chunks', 'server/chunks/ssr']) await shareChunks(path.join(folder, chunks))
  rmSync(path.join(folder, 'cache'), { recursive: true, force: true })
}
