import { build, transform, type BuildOptions, type Plugin } from 'esbuild'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { viewerPolicy } from '../app/_server/http/viewer-policy'
import { viewerFile } from '../app/_server/settings'

const own = (root: string, name: string) => path.join(root, 'viewer', name)

/** Puts the viewer's own modules in the place of what needs a server, or of what a page without one has no use for. */
const inPlaceOf = (root: string): Plugin => ({
  name: 'in-place-of',
  setup({ onResolve }) {
    onResolve({ filter: /^next\/navigation$/ }, () => ({ path: own(root, 'replaced/next-navigation.ts') }))
    onResolve({ filter: /^next\/link$/ }, () => ({ path: own(root, 'replaced/next-link.tsx') }))
    onResolve({ filter: /^\.\/(?:recharts|wasm)$|\/run\/markdown$/ }, ({ path: name, importer }) =>
      name !== './wasm' || importer.includes('hdr-histogram-js') ? { path: own(root, 'replaced/left-out.ts') } : null,
    )
  },
})

/** React is in the script that starts the page; the other one takes it from there. */
const sharedReact: Plugin = {
  name: 'shared-react',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react(?:-dom|\/jsx-runtime)?$/ }, ({ path: name }) => ({ path: name, namespace: 'shared' }))
    onLoad({ filter: /.*/, namespace: 'shared' }, ({ path: name }) => ({
      contents: `module.exports = globalThis.tailboardShared[${JSON.stringify(name)}]`,
    }))
  },
}

/** The text of a script of the page, and of the styles of its components. */
async function bundle(root: string, name: string, options: BuildOptions) {
  const { outputFiles = [] } = await build({
    ...{ bundle: true, platform: 'browser', target: 'es2022', format: 'iife', minify: true, write: false },
    ...{ logLevel: 'error', jsx: 'automatic', charset: 'utf8', absWorkingDir: root },
    tsconfig: path.join(root, 'tsconfig.json'),
    entryPoints: [own(root, name)],
    outdir: path.join(root, 'dist'),
    // HdrHistogram's own bundle for browsers has its WebAssembly in it.
    mainFields: ['module', 'main'],
    loader: { '.woff2': 'dataurl' },
    define: {
      'process.env': '{}',
      'process.env.NODE_ENV': '"production"',
      viewerVersion: JSON.stringify(versionOf(root)),
      viewerTokens: JSON.stringify(readFileSync(path.join(root, 'app/tokens.css'), 'utf8')),
    },
    ...options,
  })
  const textOf = (end: string) => outputFiles.find((file) => file.path.endsWith(end))?.text.trim() ?? ''
  return { script: textOf('.js'), styles: textOf('.css') }
}

const versionOf = (root: string): string => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly version: string }
  return version
}

/**
 * The page without a server, as one file: it loads nothing, so that it works from a folder as from any host. `server`:
 * where files can be sent; empty: nowhere.
 */
async function makeViewer(root: string, server: string): Promise<string> {
  const [shared, rest, long] = await Promise.all([
    bundle(root, 'viewer.css', {}),
    bundle(root, 'main.tsx', { plugins: [inPlaceOf(root), sharedReact] }),
    // Short names of classes would be those of the other script.
    bundle(root, 'start.tsx', {
      plugins: [inPlaceOf(root)],
      ...{ minify: false, minifyWhitespace: true, minifySyntax: true },
    }),
  ])
  const start = (await transform(long.script, { minify: true, target: 'es2022', charset: 'utf8' })).code.trim()
  const hashes = [start, rest.script].map((script) => createHash('sha256').update(script).digest('base64'))
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="content-security-policy" content="${viewerPolicy(hashes)}">`,
    serverTag(server),
    '<meta name="referrer" content="no-referrer"><title>Tailboard viewer</title>',
    `<style>${shared.styles}\n${long.styles}\n${rest.styles}</style>`,
    '</head><body><div id="root"></div>',
    '<noscript>This page reads files with JavaScript. The command line needs none.</noscript>',
    `<script type="text/plain" id="rest">${rest.script}</script>`,
    `<script id="start">${start}</script>`,
    '</body></html>\n',
  ].join('\n')
}

/** Its own server, as its address says. */
const ownServer = '/'
const serverTag = (address: string): string => `<meta name="tailboard-server" content="${address}">`

/** Writes the page of a server into a folder; returns its file. */
export async function bundleViewer(root: string, folder: string, server: string | null = null): Promise<string> {
  const file = path.join(folder, viewerFile)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, await makeViewer(root, server ?? ownServer))
  return file
}

/**
 * Copies the page of a build to where people look for it: it is of no server. Where `dist` cannot be written, servers
 * still have theirs.
 */
export function copyViewer(root: string, build: string | null): void {
  if (build === null) return
  try {
    const page = readFileSync(path.join(build, viewerFile), 'utf8')
    mkdirSync(path.join(root, 'dist/viewer'), { recursive: true })
    writeFileSync(path.join(root, 'dist/viewer', viewerFile), page.replace(serverTag(ownServer), serverTag('')))
  } catch {
    // As for the commands.
  }
}
