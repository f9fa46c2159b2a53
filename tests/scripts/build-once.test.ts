import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { databaseWorkerFile, importWorkerFile } from '../../app/_server/settings'
import { buildOnce } from '../../scripts/build-once'
import { currentBuild, hashSources, isBuiltFrom } from '../../scripts/build-state'

const silent = () => undefined

/** A project with two files, and a stand-in for Next. */
async function project() {
  const root = await mkdtemp(path.join(os.tmpdir(), 'tailboard-build-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const builds = path.join(root, '.next')
  const write = (name: string, text: string) => writeFile(path.join(root, name), text)
  await mkdir(path.join(root, 'app'))
  await write('app/page.tsx', 'first')
  await write('tsconfig.json', '{ "compilerOptions": { "jsx": "react-jsx", "paths": {} }, "include": ["app"] }')
  const made: string[] = []
  const make = async (folder: string) => {
    made.push(folder)
    await mkdir(folder)
    for (const name of ['BUILD_ID', importWorkerFile, databaseWorkerFile, 'start.mjs', 'routes.mjs'])
      await writeFile(path.join(folder, name), '')
  }
  const build = (options: { make?: typeof make; say?: (line: string) => void } = {}) =>
    buildOnce({ root, builds, make, say: silent, ...options })
  const isCurrent = () => isBuiltFrom(hashSources(root), currentBuild(builds) ?? '')
  return { root, builds, write, made, make, build, isCurrent }
}

test('unchanged sources are built once; a compiler setting is a source, the formatting of its file is not', async () => {
  const { made, write, build, isCurrent } = await project()
  expect(isCurrent()).toBe(false)
  await build()
  await build()
  expect(made).toHaveLength(1)
  // As Next writes it.
  const rewritten = { compilerOptions: { jsx: 'react-jsx', paths: {} }, include: ['app', '.next/types/**/*.ts'] }
  await write('tsconfig.json', JSON.stringify(rewritten, null, 2))
  expect(isCurrent()).toBe(true)
  await write('tsconfig.json', JSON.stringify({ compilerOptions: { jsx: 'preserve', paths: {} } }))
  expect(isCurrent()).toBe(false)
})

test('of two starts at once, one builds and the other waits for it', async () => {
  const { made, build, isCurrent } = await project()
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  await Promise.all([build({ say }), build({ say })])
  expect(made).toHaveLength(1)
  expect(said).toEqual([`Process ${process.pid} builds: waiting for it …`])
  expect(isCurrent()).toBe(true)
})

test('a build is made next to the one being served, which stays until its server has ended', async () => {
  const { builds, made, write, build } = await project()
  await build()
  const [first = ''] = made
  const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  onTestFinished(() => void server.kill('SIGKILL'))
  await mkdir(path.join(first, 'served-by'))
  await writeFile(path.join(first, 'served-by', String(server.pid)), '')

  await write('app/page.tsx', 'second')
  await build()
  expect(existsSync(path.join(first, 'start.mjs'))).toBe(true)
  expect(currentBuild(builds)).toBe(realpathSync(made[1] ?? ''))

  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGKILL')
  await ended
  await write('app/page.tsx', 'third')
  await build()
  const names = made.map((folder) => path.basename(folder))
  expect((await readdir(builds)).sort()).toEqual([names[2], 'current'].sort())
})

test('sources of an earlier build are not built again while that build exists', async () => {
  const { builds, made, write, build } = await project()
  await build()
  await mkdir(path.join(made[0] ?? '', 'served-by'))
  await writeFile(path.join(made[0] ?? '', 'served-by', String(process.pid)), '')
  await write('app/page.tsx', 'second')
  await build()
  await write('app/page.tsx', 'first')
  await build()
  expect(made).toHaveLength(2)
  expect(currentBuild(builds)).toBe(realpathSync(made[0] ?? ''))
})

test('a failed build, or one whose sources changed in the meantime, is never served', async () => {
  const { builds, made, make, write, build, isCurrent } = await project()
  await build()
  const served = currentBuild(builds)
  await write('app/page.tsx', 'second')
  await expect(build({ make: () => Promise.reject(new Error('no such module')) })).rejects.toThrow('no such module')
  const edited = async (folder: string) => {
    await make(folder)
    await write('app/page.tsx', 'third')
  }
  await expect(build({ make: edited })).rejects.toThrow('changed while they were built')
  expect(currentBuild(builds)).toBe(served)
  await build()
  expect(isCurrent()).toBe(true)
  expect(made).toHaveLength(3)
})
