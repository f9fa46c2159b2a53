import { build, type BuildOptions, type Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { databaseWorkerFile, importWorkerFile, routesFile } from '../app/_server/settings'
import { routesModule, withoutNext } from './routes-module'

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

/** For packages that load others as CommonJS does. */
const requires = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

/** What is bundled of the scripts: the server, the check of its build, and what works on its data. */
const scripts = ['start', 'build-state', 'data/backup', 'data/restore', 'data/password']

/**
 * Bundles the server, the routes that it answers itself, and what `scripts/start.js` and `scripts/run-built.js` load
 * beside them: tsx would read every file of the build, too. A route is loaded when it is first requested; what several have in common is one
 * file.
 */
export async function bundleServer(root: string, folder: string): Promise<void> {
  const { name } = path.parse(routesFile)
  await build({
    ...common(root),
    absWorkingDir: root,
    entryPoints: [...scripts.map((one) => `scripts/${one}.ts`), name],
    plugins: [virtualFile(name, routesModule(root)), withoutNext],
    outdir: folder,
    entryNames: '[name]',
    chunkNames: 'routes/[hash]',
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    splitting: true,
    external: packagesApart(folder).flatMap((name) => [name, `${name}/*`]),
    // Routes that write tables use components, never their styles.
    loader: { '.css': 'empty' },
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: requires },
  })
}

const manifestSchema = z.object({ config: z.object({ serverExternalPackages: z.array(z.string()) }) })

/** Packages that Next left out of its bundles: ours and Next's share them, and what they hold. */
function packagesApart(folder: string): readonly string[] {
  const text = readFileSync(path.join(folder, 'required-server-files.json'), 'utf8')
  return manifestSchema.parse(JSON.parse(text)).config.serverExternalPackages
}

/** A file at the root of the sources that exists only while they are bundled. */
const virtualFile = (name: string, contents: string): Plugin => ({
  name,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }))
    build.onLoad({ filter: /./, namespace: name }, () => ({
      contents,
      resolveDir: build.initialOptions.absWorkingDir ?? '',
    }))
  },
})
