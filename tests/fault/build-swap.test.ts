import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { buildOnce } from '../../scripts/build-once'
import { currentBuild } from '../../scripts/build-state'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'
import { copyOfBuilds } from './copy-builds'

/** A start with newer sources: it builds next to the existing builds. */
async function buildNewerSources(builds: string, version: string): Promise<void> {
  const root = await mkdtemp(path.join(builds, 'sources-'))
  await mkdir(path.join(root, 'app'))
  await writeFile(path.join(root, 'app', 'page.tsx'), version)
  const make = async (folder: string) => {
    await mkdir(folder)
    for (const name of ['BUILD_ID', 'import-worker.cjs', 'start.mjs']) await writeFile(path.join(folder, name), '')
  }
  await buildOnce({ root, builds, make, say: () => undefined })
}

const addresses = (html: string): string[] => [
  ...new Set([...html.matchAll(/\/_next\/static\/[\w./~-]+\.(?:js|css|woff2)/g)].map(([address]) => address)),
]

/** Anything that does not return 200, among pages not requested before and every file they name. */
async function unanswered(app: RunningApp): Promise<string[]> {
  const failed: string[] = []
  const files = new Set<string>()
  const pages = ['', '/runs', '/trends', '/matrix', '/compare', '/alerts', '/rules', '/upload', '/settings']
  for (const page of ['/', '/learn', ...pages.map((name) => `/p/smithy${name}`), '/api/v1/openapi.json']) {
    const response = await fetch(`${app.url}${page}`)
    if (response.status !== 200) failed.push(`${response.status} ${page}`)
    for (const address of addresses(await response.text())) files.add(address)
  }
  expect(files.size).toBeGreaterThan(20)
  for (const file of files) {
    const response = await fetch(`${app.url}${file}`)
    if (response.status !== 200) failed.push(`${response.status} ${file}`)
  }
  return failed
}

test('a server keeps serving the build it started with, from any folder, and reports that there is a newer one', async () => {
  const builds = await copyOfBuilds()
  const build = currentBuild(builds) ?? ''
  const app = await startApp({ dataFolder: await makeDataFolder(), env: { TAILBOARD_NEXT_DIR: builds } })
  try {
    expect(app.output()).not.toContain('Building')
    const readiness = async () => {
      const response = await fetch(`${app.url}/readyz`)
      return { status: response.status, body: await response.json() }
    }
    await expect.poll(readiness).toMatchObject({ status: 200, body: { build: 'current' } })
    await buildNewerSources(builds, 'second')
    await buildNewerSources(builds, 'third')
    expect(currentBuild(builds)).not.toBe(build)
    expect(await readiness()).toMatchObject({ status: 200, body: { status: 'ready', build: 'replaced' } })
    expect(await unanswered(app)).toEqual([])
  } finally {
    expect(await app.stop()).toBe(0)
  }
  await buildNewerSources(builds, 'fourth')
  expect(existsSync(build)).toBe(false)
})
