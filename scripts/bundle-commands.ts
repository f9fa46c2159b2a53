import { build, type BuildOptions, type Metafile } from 'esbuild'
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

/** Commands that read files and start no database: from a bundle, they respond in a fifth of the time. */
const scripts = ['capacity', 'judge', 'mcp', 'predict', 'predict-projects', 'rounds-drive'] as const

/** All bundles in `dist`. */
export const commands = [...scripts, 'cli'] as const

const common = (root: string) =>
  ({
    ...{ bundle: true, platform: 'node', target: 'node20.10', minify: true, metafile: true, write: false },
    ...{ absWorkingDir: root, tsconfig: path.join(root, 'tsconfig.json'), logLevel: 'error' },
    define: { 'process.env.NODE_ENV': '"production"' },
    // What tables are written with uses components, never their styles.
    loader: { '.css': 'empty' },
  }) satisfies BuildOptions

/** For packages that load others as CommonJS does. */
const requires = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

/**
 * Bundles the commands into `dist`: `cli.mjs`, one file that runs from anywhere, and one for each of those that
 * `scripts/run.js` runs. Where `dist` cannot be written, they go on through the compiler.
 */
export async function bundleCommands(root: string): Promise<void> {
  const dist = path.join(root, 'dist')
  if (!isWritable(root)) return
  mkdirSync(dist, { recursive: true })
  const scratch = mkdtempSync(path.join(dist, '.new-'))
  try {
    for (const name of scripts) {
      const { outputFiles, metafile } = await build({
        ...common(root),
        entryPoints: [`scripts/${name}.ts`],
        outdir: scratch,
        format: 'esm',
        banner: { js: requires },
      })
      put(root, name, outputFiles[0]?.text ?? '', metafile)
    }
    const metafile = await bundleCli(root, scratch)
    put(root, 'cli', readFileSync(path.join(scratch, 'cli.mjs'), 'utf8'), metafile)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * Bundles the command line into `cli.mjs` in a folder: its code is a text that V8 takes from the cache beside it, where
 * a module would have to be parsed first.
 */
export async function bundleCli(root: string, folder: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    ...common(root),
    define: { ...common(root).define, 'import.meta.url': 'address' },
    entryPoints: ['cli/process.ts'],
    outdir: folder,
    format: 'cjs',
  })
  const source = `(function (exports, require, module, address) {${outputFiles[0]?.text ?? ''}\n})`
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const given = { version, tokens: readFileSync(path.join(root, 'app/tokens.css'), 'utf8') }
  const file = path.join(folder, 'cli.mjs')
  const cache = path.join(folder, 'cache')
  writeFileSync(file, moduleOf(source, given, null), { mode: 0o755 })
  // What a first command compiles is in the cache, too.
  const sample = path.join(root, 'public/sample-data', firstSample)
  const { status, stderr } = spawnSync(process.execPath, [file, 'compare', sample, sample], {
    env: { ...process.env, [cacheVariable]: cache },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The bundled command failed: ${stderr}`)
  writeFileSync(file, moduleOf(source, given, readFileSync(cache)))
  rmSync(cache)
  return metafile
}

const firstSample = 'smithy-wrk.md'
/** Where the bundle writes its code cache, when it is built. */
const cacheVariable = 'TAILBOARD_WRITE_CODE_CACHE'

/** A refused cache, as by another version of Node, only makes the start slower. */
function moduleOf(source: string, { version, tokens }: Record<'version' | 'tokens', string>, cache: Buffer | null) {
  const cached = cache === null ? 'undefined' : `Buffer.from(${JSON.stringify(cache.toString('base64'))}, 'base64')`
  const writes = `process.on('exit', () => writeFileSync(process.env.${cacheVariable}, script.createCachedData()))`
  return `#!/usr/bin/env node
import { createRequire } from 'node:module'
import { writeFileSync } from 'node:fs'
import vm from 'node:vm'
const source = ${JSON.stringify(source)}
const script = new vm.Script(source, { filename: 'tailboard.cjs', cachedData: ${cached} })
const own = { exports: {} }
script.runInThisContext()(own.exports, createRequire(import.meta.url), own, import.meta.url)
${cache === null ? writes : ''}
await own.exports.start({
  root: new URL('..', import.meta.url),
  version: ${JSON.stringify(version)},
  tokens: () => ${JSON.stringify(tokens)},
  load: (address) => import(address),
})
`
}

/** Puts a bundle and the state of its sources in place, each in one step. */
function put(root: string, name: string, text: string, { inputs }: Metafile): void {
  const stateOf = (file: string) => {
    const { mtimeMs, size } = statSync(path.join(root, file))
    return [file, mtimeMs, size]
  }
  const sources = [...Object.keys(inputs), 'package.json', 'package-lock.json', 'app/tokens.css'].filter(
    (file) => !file.includes(':'),
  )
  const place = (file: string, content: string) => {
    const target = path.join(root, 'dist', file)
    writeFileSync(`${target}.new`, content, { mode: 0o755 })
    renameSync(`${target}.new`, target)
  }
  // Until the bundle is there, its sources are in no state.
  rmSync(path.join(root, 'dist', `${name}.inputs.json`), { force: true })
  place(`${name}.mjs`, text)
  place(`${name}.inputs.json`, JSON.stringify(sources.filter((file) => !file.startsWith('node_modules/')).map(stateOf)))
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
