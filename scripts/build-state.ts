import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { importWorkerFile } from '../app/_server/settings'

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
]
/** Where the build is: several developers can have one each. */
export const buildFolder = (root: string) => path.resolve(root, process.env.TAILBOARD_NEXT_DIR ?? '.next')
const markFile = (root: string) => path.join(buildFolder(root), 'tailboard-sources')

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

/** SHA-256 over names and contents of everything that the build is made of. */
function fingerprint(root: string): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesBelow(path.join(root, source)))
      hash.update(path.relative(root, file)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Whether the build was made from the sources as they are now. */
export function buildIsCurrent(root: string): boolean {
  const mark = markFile(root)
  const parts = ['BUILD_ID', importWorkerFile, 'start.mjs'].map((name) => path.join(buildFolder(root), name))
  return [mark, ...parts].every(existsSync) && readFileSync(mark, 'utf8') === fingerprint(root)
}

/** Remembers what the build was made of. */
export function markBuild(root: string): void {
  writeFileSync(markFile(root), fingerprint(root))
}
