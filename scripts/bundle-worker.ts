import path from 'node:path'
import { build } from 'esbuild'
import { importWorkerFile } from '../app/_server/settings'

/** Bundles the thread that reads uploads into the build's folder: through tsx it would take longer to start than to read. */
export async function bundleWorker(root: string): Promise<void> {
  await build({
    entryPoints: [path.join(root, 'app/_server/uploads/upload-worker.ts')],
    outfile: path.resolve(root, process.env['TAILBOARD_NEXT_DIR'] ?? '.next', importWorkerFile),
    bundle: true,
    platform: 'node',
    target: 'node20.10',
    format: 'cjs',
    tsconfig: path.join(root, 'tsconfig.json'),
    logLevel: 'error',
  })
}
