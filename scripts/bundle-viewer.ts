import { build, type Plugin } from 'esbuild'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { viewerPolicy } from '../app/_server/http/viewer-policy'
import { viewerFile } from '../app/_server/settings'

const own = (root: string, name: string) => path.join(root, 'viewer', name)

/** Puts the viewer's own modules in the place of what needs a server, or of what a page without one has no use for. */
const inPlaceOf = (root: string): Plugin => ({
  name: 'in-place-of',
  setup({ onResolve }) {
    onResolve({ filter: /^next\/navigation$/ }, () => ({ path: own(root, 'next-navigation.ts') }))
    onResolve({ filter: /^next\/link$/ }, () => ({ path: own(root, 'next-link.tsx') }))
    onResolve({ filter: /^\.\/(?:recharts|wasm)$|\/run\/markdown$/ }, ({ path: name, importer }) =>
      name !== './wasm' || importer.includes('hdr-histogram-js') ? { path: own(root, 'left-out.ts') } : null,
    )
  },
})

/** The page without a server, as one file: it loads nothing, so that it works from a folder as from any host. */
async function makeViewer(root: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const { outputFiles } = await build({
    ...{ bundle: true, platform: 'browser', target: 'es2022', format: 'iife', minify: true, write: false },
    ...{
      absWorkingDir: root,
      tsconfig: path.join(root, 'tsconfig.json'),
      logLevel: 'error',
      jsx: 'automatic',
      charset: 'utf8',
    },
    entryPoints: { viewer: own(root, 'main.tsx'), style: own(root, 'viewer.css') },
    outdir: path.join(root, 'dist'),
    // HdrHistogram's own bundle for browsers has its WebAssembly in it.
    mainFields: ['module', 'main'],
    loader: { '.woff2': 'dataurl' },
    plugins: [inPlaceOf(root)],
    define: {
      'process.env': '{"NODE_ENV":"production"}',
      viewerVersion: JSON.stringify(version),
      viewerTokens: JSON.stringify(readFileSync(path.join(root, 'app/tokens.css'), 'utf8')),
    },
  })
  const textOf = (name: string) => outputFiles.find((file) => path.basename(file.path) === name)?.text.trim() ?? ''
  const script = textOf('viewer.js')
  const hash = createHash('sha256').update(script).digest('base64')
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="content-security-policy" content="${viewerPolicy(hash)}">`,
    '<meta name="referrer" content="no-referrer"><title>Tailboard viewer</title>',
    `<style>${textOf('style.css')}\n${textOf('viewer.css')}</style>`,
    '</head><body><div id="root"></div>',
    '<noscript>This page reads files with JavaScript. The command line needs none.</noscript>',
    `<script>${script}</script>`,
    '</body></html>\n',
  ].join('\n')
}

/** Writes the page into a folder; returns its file. */
export async function bundleViewer(root: string, folder: string): Promise<string> {
  const file = path.join(folder, viewerFile)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, await makeViewer(root))
  return file
}

/** Copies the page of a build to where people look for it. Where `dist` cannot be written, servers still have theirs. */
export function copyViewer(root: string, build: string | null): void {
  if (build === null) return
  try {
    cpSync(path.join(build, viewerFile), path.join(root, 'dist/viewer', viewerFile))
  } catch {
    // As for the commands.
  }
}
