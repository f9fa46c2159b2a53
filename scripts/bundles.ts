import path from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { importWorkerFile } from '../app/_server/settings'

const common = (root: string) =>
  ({
    ...{ bundle: true, platform: 'node', target: 'node20.10' },
    ...{ tsconfig: path.join(root, 'tsconfig.json'), logLevel: 'error' },
  }) satisfies BuildOptions

/** Bundles the thread that reads uploads into a build: through tsx it would take longer to start than to read. */
export async function bundleWorker(root: string, folder: string): Promise<void> {
  await build({
    ...common(root),
    entryPoints: [path.join(root, 'app/_server/uploads/upload-worker.ts')],
    outfile: path.join(folder, importWorkerFile),
    format: 'cjs',
  })
}

/** Bundles the server and the check of its build for `scripts/start.js`: tsx would look at every file of the build, too. */
export async function bundleServer(root: string, folder: string): Promise<void> {
  await build({
    ...common(root),
    entryPoints: ['start', 'build-state'].map((name) => path.join(root, 'scripts', `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    packages: 'external',
  })
}
