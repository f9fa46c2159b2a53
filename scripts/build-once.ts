import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLockFolder, type FolderLock } from '../prisma/folder-lock'
import { currentBuild, hashSources, isBuiltFrom, isServed, markBuild } from './build-state'

interface BuildOptions {
  /** Where the sources are. */
  readonly root: string
  /** Where the builds are. */
  readonly builds: string
  /** Makes a build in a folder that does not exist yet. */
  make(folder: string): Promise<void>
  say(line: string): void
}

/**
 * Makes the build of the current sources, unless it exists, and the one that the next start serves. Of several
 * processes, one builds and the others wait. Throws when the sources change meanwhile: the build then matches neither
 * state.
 */
export async function buildOnce({ root, builds, make, say }: BuildOptions): Promise<void> {
  await mkdir(builds, { recursive: true })
  const lock = await waitForLock(builds, say)
  try {
    const sourcesHash = hashSources(root)
    const build = path.join(builds, sourcesHash.slice(0, 16))
    if (isBuiltFrom(sourcesHash, build)) {
      makeCurrent(build)
      return
    }
    rmSync(build, { recursive: true, force: true })
    await make(build)
    if (hashSources(root) !== sourcesHash)
      throw new Error('The sources changed while they were built. Start again: npm start')
    markBuild(build, sourcesHash)
    makeCurrent(build)
    removeUnserved(builds)
  } finally {
    await lock.release()
  }
}

async function waitForLock(builds: string, say: (line: string) => void): Promise<FolderLock> {
  for (let tries = 0; ; tries += 1) {
    const lock = await tryLockFolder(builds)
    if (lock.kind === 'taken') return lock
    if (tries === 0) say(`Process ${lock.pid} builds: waiting for it …`)
    await sleep(200)
  }
}

/** In one step: any reader of the link finds a whole build before and after. */
function makeCurrent(build: string): void {
  const link = path.join(path.dirname(build), 'current')
  rmSync(`${link}.new`, { force: true })
  symlinkSync(path.basename(build), `${link}.new`, 'dir')
  renameSync(`${link}.new`, link)
}

/** Servers load pages when they are first requested: the build that one of them began with stays as long as it runs. */
function removeUnserved(builds: string): void {
  const current = path.basename(currentBuild(builds) ?? '')
  for (const name of readdirSync(builds)) {
    const build = path.join(builds, name)
    const isOld = /^[0-9a-f]{16}$/.test(name) && name !== current
    if (isOld && !isServed(build)) rmSync(build, { recursive: true, force: true })
  }
}
