/**
 * Builds are in folders beside each other that never change: servers keep using the one they began with. `current`
 * links to the newest. Bundled with each build, for `scripts/start.js`.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { databaseWorkerFile, importWorkerFile, routesFile } from '../app/_server/settings'

const sources = [
  'app',
  'components',
  'importers',
  'lib',
  'prisma',
  'scripts',
  'instrumentation.ts',
  'next.config.js',
  'package-lock.json',
  'tsconfig.json',
  'viewer',
]

/** Where the builds are: each of several developers can have a place of their own. */
export const buildsFolder = (root: string): string => path.resolve(root, process.env.TAILBOARD_NEXT_DIR || '.next')

/** The build that the next start serves if its sources are unchanged; null: there is none yet. */
export function currentBuild(builds: string): string | null {
  try {
    return realpathSync(path.join(builds, 'current'))
  } catch {
    return null
  }
}

function filesBelow(place: string): string[] {
  if (!existsSync(place)) return []
  try {
    return readdirSync(place, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('generated'))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
  } catch {
    return [place] // a file, not a folder
  }
}

/**
 * The part of a source that the build uses. Next and editors rewrite the compiler's settings: only their meaning
 * counts.
 */
function contentOf(file: string): string | Buffer {
  const bytes = readFileSync(file)
  if (path.basename(file) !== 'tsconfig.json') return bytes
  try {
    return JSON.stringify((JSON.parse(bytes.toString()) as { compilerOptions?: unknown }).compilerOptions ?? null)
  } catch {
    return bytes // with comments
  }
}

/** SHA-256 over names and contents of all sources of a build. */
export function hashSources(root: string): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesBelow(path.join(root, source)))
      hash.update(path.relative(root, file)).update(contentOf(file))
  }
  return hash.digest('hex')
}

const mark = 'tailboard-sources'

/** Whether a build is complete, and was made from these sources. */
export function isBuiltFrom(sourcesHash: string, build: string): boolean {
  const names = [mark, 'BUILD_ID', importWorkerFile, databaseWorkerFile, 'start.mjs', routesFile]
  const parts = names.map((name) => path.join(build, name))
  return parts.every(existsSync) && readFileSync(path.join(build, mark), 'utf8') === sourcesHash
}

/** Marks a build as whole, and records what it was made of. */
export function markBuild(build: string, sourcesHash: string): void {
  writeFileSync(path.join(build, mark), sourcesHash)
}

const users = (build: string): string => path.join(build, 'served-by')

/** Keeps a build until this process ends. On a read-only disk, no process can remove it either. */
export function holdBuild(build: string): void {
  const file = path.join(users(build), String(process.pid))
  try {
    mkdirSync(users(build), { recursive: true })
    writeFileSync(file, '')
  } catch {
    return
  }
  process.once('exit', () => rmSync(file, { force: true }))
}

/** Whether a live process serves a build. A killed one no longer does, although it could not release it. */
export function isServed(build: string): boolean {
  return existsSync(users(build)) && readdirSync(users(build)).some((pid) => isAlive(Number(pid)))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // another user's
  }
}
