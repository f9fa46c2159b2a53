import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { importWorkerFile } from '../app/_server/settings'
import { bundleWorker } from './bundle-worker'
import { packStatic } from './pack-static'

const sources = [
  'app',
  'components',
  'importers',
  'lib',
  'prisma',
  'instrumentation.ts',
  'next.config.js',
  'package-lock.json',
  'tsconfig.json',
]
const nextFolder = () => process.env.TAILBOARD_NEXT_DIR ?? '.next'

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

/** Whether `.next` was built from the sources as they are now. */
export function buildIsCurrent(root: string): boolean {
  const mark = path.join(root, nextFolder(), 'tailboard-sources')
  return (
    existsSync(path.join(root, nextFolder(), 'BUILD_ID')) &&
    existsSync(path.join(root, nextFolder(), importWorkerFile)) &&
    existsSync(mark) &&
    readFileSync(mark, 'utf8') === fingerprint(root)
  )
}

/** Adds what Next does not build, and remembers what the build was made of. */
export async function finishBuild(root: string): Promise<void> {
  await bundleWorker(root)
  await packStatic(path.resolve(root, nextFolder(), 'static'))
  writeFileSync(path.join(root, nextFolder(), 'tailboard-sources'), fingerprint(root))
}
