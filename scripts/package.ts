/**
 * `npm run package`: the server as built, the command line and the packages that they load, in a
 * `tailboard-X.Y.Z.tgz` that npm installs anywhere. Decision 200.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { z } from 'zod'
import { buildsFolder } from './build-state'
import { bundleCli } from './bundle-commands'
import { carriedFiles, installed, packageOf } from './carried-files'

const packageSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).optional(),
})

const readPackage = (folder: string) =>
  packageSchema.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')))

const writeJson = (file: string, value: unknown) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** What the server reads from its folder, besides its build. */
const places = ['app/tokens.css', 'app/fonts', 'public/sample-data', 'prisma/migrations', 'LICENSE', 'docs/licences.md']
const programs = ['scripts/start.js', 'scripts/run-built.js', 'scripts/served-build.js', 'action/compare.sh']

/** Of a build, but read by nothing that runs: how it was made, types, source maps. */
const unread =
  /^(?:cache|diagnostics|node_modules|served-by|trace|trace-build|turbopack|types)(?:\/|$)|\.(?:map|nft\.json)$/

/** Copies a build without what is never read, and without links, which npm leaves out of a package. */
function copyBuild(root: string, build: string, target: string): void {
  const links = linksOf(path.join(build, 'node_modules'))
  for (const file of readdirSync(build, { recursive: true, encoding: 'utf8' })) {
    const source = path.join(build, file)
    if (unread.test(file.split(path.sep).join('/')) || !statSync(source).isFile()) continue
    mkdirSync(path.dirname(path.join(target, file)), { recursive: true })
    if (/^(?:server\/.*\.js|required-server-files\.(?:js|json))$/.test(file)) {
      let text = readFileSync(source, 'utf8')
      for (const [link, name] of links) text = text.replaceAll(link, name)
      writeFileSync(path.join(target, file), text.replaceAll(root, '.'))
    } else copyFileSync(source, path.join(target, file))
  }
}

/** Names by which a build imports packages that Next left out of it, and the names of these packages. */
function linksOf(folder: string): ReadonlyMap<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isSymbolicLink())
  return new Map(
    found.map((entry) => {
      const link = path.join(entry.parentPath, entry.name)
      const [, name = ''] = readlinkSync(link).split('node_modules/')
      return [path.relative(folder, link), name]
    }),
  )
}

/** Of a package's manifest, what only says what to install beside it and how. */
const forInstalling = new Set([
  ...['devDependencies', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta'],
  ...['scripts', 'bin', 'files', 'bundleDependencies'],
])

/** Copies packages; each then asks npm only for what it finds beside it. */
function copyPackages(root: string, files: readonly string[], target: string): void {
  const folders = new Set(files.map(packageOf))
  const names = new Set([...folders].map((folder) => folder.slice(folder.lastIndexOf('node_modules/') + 13)))
  for (const file of files) {
    mkdirSync(path.dirname(path.join(target, file)), { recursive: true })
    copyFileSync(path.join(root, file), path.join(target, file))
  }
  for (const folder of folders) {
    const { dependencies = {}, ...manifest } = readPackage(path.join(root, folder))
    const asked = Object.entries(manifest).filter(([key]) => !forInstalling.has(key))
    const kept = Object.entries(dependencies).filter(([name]) => names.has(name))
    writeJson(path.join(target, folder, 'package.json'), {
      ...Object.fromEntries(asked),
      dependencies: Object.fromEntries(kept),
    })
  }
}

/** The package's own manifest. */
function manifestOf(root: string, files: readonly string[]) {
  const { name, version, description, license, engines } = readPackage(root)
  const carried = [...new Set(files.map(packageOf))]
    .filter((folder) => folder.lastIndexOf('node_modules/') === 0)
    .map((folder) => folder.slice('node_modules/'.length))
  const versionOf = (one: string) => [one, readPackage(path.join(root, 'node_modules', one)).version]
  return {
    ...{ name, version, description, license, type: 'module', engines },
    bin: { tailboard: 'dist/cli.mjs' },
    dependencies: Object.fromEntries(carried.map(versionOf)),
    optionalDependencies: Object.fromEntries(installed.map(versionOf)),
    bundleDependencies: carried,
  }
}

/** Packs a folder as npm does. */
async function packFolder(folder: string, file: string): Promise<void> {
  const archive = pack()
  const written = pipeline(archive, createGzip({ level: 9 }), createWriteStream(file))
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  for (const name of names) {
    const { size, mode, mtime } = statSync(path.join(folder, name))
    if ((mode & 0o170000) !== 0o100000) continue
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve())
      const header = { name: `package/${name.split(path.sep).join('/')}`, size, mode: mode & 0o777, mtime }
      archive.entry(header, readFileSync(path.join(folder, name)), done)
    })
  }
  archive.finalize()
  await written
}

const root = process.cwd()
const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
const build = realpathSync(path.join(buildsFolder(root), 'current'))
const staged = mkdtempSync(path.join(os.tmpdir(), 'tailboard-package-'))
try {
  const files = await carriedFiles(root, build)
  copyBuild(root, build, path.join(staged, '.next', 'current'))
  copyPackages(root, files, staged)
  for (const place of [...places, ...programs])
    cpSync(path.join(root, place), path.join(staged, place), { recursive: true })
  mkdirSync(path.join(staged, 'dist'))
  await bundleCli(root, path.join(staged, 'dist'))
  const manifest = manifestOf(root, files)
  writeJson(path.join(staged, 'package.json'), manifest)
  const name = `${manifest.name}-${manifest.version}.tgz`
  await packFolder(staged, path.join(root, name))
  process.stdout.write(`${name}: ${(statSync(path.join(root, name)).size / 1e6).toFixed(1)} MB\n`)
} finally {
  rmSync(staged, { recursive: true, force: true })
}
