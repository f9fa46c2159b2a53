import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { z } from 'zod'
import { databaseWorkerFile, importWorkerFile, routesFile } from '../app/_server/settings'

interface Tracer {
  nodeFileTrace(
    entries: readonly string[],
    options: { readonly base: string; readonly processCwd: string; ignore(file: string): boolean },
  ): Promise<{ readonly fileList: ReadonlySet<string> }>
}

/** What Next finds the files of its own servers with. */
const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft') as Tracer

/** A package's files for other processors are in other packages, which npm chooses from; where there is none, scrypt does. */
export const installed = ['@node-rs/argon2']

/** Never run: pictures are not optimized; npm installs the others. */
const leftOut = /^node_modules\/(?:sharp|@img|@node-rs)\//

/** What Next reads only to build and to develop. */
const forBuilds =
  /^node_modules\/next\/dist\/(?:docs|server\/dev|compiled\/(?:webpack|babel|babel-packages|next-devtools|watchpack))\/|\.(?:dev|development)\.js$/

/** Read by an address that no trace can follow. */
const database = ['pglite.wasm', 'pglite.data', 'initdb.wasm'].map(
  (name) => `node_modules/@electric-sql/pglite/dist/${name}`,
)

const traceSchema = z.object({ files: z.array(z.string()) })

/** Files below `node_modules` that a build loads when it runs, and the licences of their packages; relative to `root`. */
export async function carriedFiles(root: string, build: string): Promise<readonly string[]> {
  const traces = readdirSync(build, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.nft.json') && file !== 'next-minimal-server.js.nft.json')
    .map((file) => path.join(build, file))
  const ofNext = traces.flatMap((file) =>
    traceSchema
      .parse(JSON.parse(readFileSync(file, 'utf8')))
      .files.map((name) => path.relative(root, path.resolve(path.dirname(file), name))),
  )
  const entries = [
    'start.mjs',
    'build-state.mjs',
    'backup.mjs',
    'restore.mjs',
    'password.mjs',
    routesFile,
    importWorkerFile,
    databaseWorkerFile,
  ]
  const { fileList } = await nodeFileTrace(
    entries.map((name) => path.join(build, name)),
    { base: root, processCwd: root, ignore: (file) => leftOut.test(file) || forBuilds.test(file) },
  )
  const files = new Set([...ofNext, ...fileList, ...database].filter((file) => isCarried(root, file)))
  for (const folder of new Set([...files].map(packageOf))) {
    for (const name of readdirSync(path.join(root, folder)))
      if (name === 'package.json' || /^(?:licen[cs]e|notice)/i.test(name)) files.add(`${folder}/${name}`)
  }
  return [...files].filter((file) => statSync(path.join(root, file)).isFile()).sort()
}

/** Links are of a build's own making, beside the files that they lead to. */
function isCarried(root: string, file: string): boolean {
  const place = path.join(root, file)
  if (!file.startsWith('node_modules/') || leftOut.test(file) || file.endsWith('.map') || !existsSync(place))
    return false
  return statSync(place).isFile() && realpathSync(place) === place
}

/** The folder of a file's package: `node_modules/@scope/name`, or one in the `node_modules` of another. */
export function packageOf(file: string): string {
  const parts = file.split('/')
  const at = parts.lastIndexOf('node_modules')
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') === true ? 3 : 2)).join('/')
}
