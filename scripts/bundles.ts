import path from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { databaseWorkerFile, importWorkerFile } from '../app/_server/settings'

const common = (root: string) =>
  ({
    ...{ bundle: true, platform: 'node', target: 'node20.10' },
    ...{ tsconfig: path.join(root, 'tsconfig.json'), logLevel: 'error' },
  }) satisfies BuildOptions

/** Bundles the threads into a build: through tsx, starting them would take longer than reading an upload. */
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
      // It reads its files from beside its own.
      external: ['@electric-sql/pglite'],
    })
}

/**
 * Bundles the server and the check of its build for `scripts/start.js`: tsx would read every file of the build, too.
 */
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

/** Commands that read files and start no database: from a bundle, they respond in a fifth of the time. */
const commands = ['judge', 'mcp', 'parse', 'predict'] as const

/** Bundles the commands with all their dependencies, for `scripts/run.js`. */
export async function bundleCommands(root: string, folder: string): Promise<void> {
  await build({
    ...common(root),
    entryPoints: commands.map((name) => path.join(root, 'scripts', `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    minify: true,
    // For packages that load others as CommonJS does.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
}
