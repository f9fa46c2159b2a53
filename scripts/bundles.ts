import path from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { databaseWorkerFile, importWorkerFile } from '../app/_server/settings'

const common = (root: string) =>
  ({
    ...{ bundle: true, platform: 'node', target: 'node20.10' },
    ...{ tsconfig: path.join(root, 'tsconfig.json'), logLevel: 'error' },
  }) satisfies BuildOptions

/** Bundles the threads into a build: through tsx they would take longer to start than to read an upload. */
export async function bundleWorkers(root: string, folder: string): Promise<void> {
  const entries = [
    ['app/_server/uploads/upload-worker.ts', importWorkerFile],
    ['prisma/database-worker.ts', databaseWorkerFile],
  ] as const
  for (const [entry, file] of entries)
    await build({
      ...common(root),
      entryPoints: [path.join(root, entry)],
      outfile: path.join(folder, file),
      format: 'cjs',
      // Reads its files beside its own.
      external: ['@electric-sql/pglite'],
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
