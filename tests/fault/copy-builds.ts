import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { currentBuild } from '../../scripts/build-state'

/** A separate folder with the build of these sources, as deep in the project as the original; it goes with the test. */
export async function copyOfBuilds(): Promise<string> {
  const builds = await mkdtemp(path.resolve('.next-swap-'))
  onTestFinished(() => rm(builds, { recursive: true, force: true }))
  const built = currentBuild(path.resolve('.next'))
  if (built === null) throw new Error('There is no build: npm run build')
  await cp(built, path.join(builds, path.basename(built)), { recursive: true, verbatimSymlinks: true })
  // Servers of other tests, which serve the original.
  await rm(path.join(builds, path.basename(built), 'served-by'), { recursive: true, force: true })
  await symlink(path.basename(built), path.join(builds, 'current'))
  return builds
}
