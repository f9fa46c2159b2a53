import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleCli } from '@/scripts/bundle-commands'
import { zipFile } from '../app/zip-file'

const root = path.join(import.meta.dirname, '../..')
const sample = path.join(root, 'tests/fixtures/wrk-text/latency.txt')
let folder = ''
let cli = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-bundle-'))
  cli = path.join(folder, 'cli.mjs')
  await bundleCli(root, folder)
})
afterAll(() => rm(folder, { recursive: true }))

const run = (...args: string[]) => spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8' })

it('is one file that runs from anywhere, without packages', () => {
  const { status, stdout, stderr } = run('show', sample)
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^metric +value$/m)
})

it('writes a page with its own copy of the colours', () => {
  expect(run('compare', sample, sample, '--html', 'out.html').status).toBe(0)
  expect(readFileSync(path.join(folder, 'out.html'), 'utf8')).toContain('--series-1:')
})

it('reads a glob', () => {
  expect(run('show', `${path.dirname(sample)}/lat*.txt`)).toMatchObject({ status: 0, stderr: '' })
})

it('prints its version', () => {
  expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it('reports an unknown command in one line', () => {
  expect(run('shwo')).toMatchObject({ status: 2, stderr: 'tailboard: There is no command shwo. See: tailboard help\n' })
})

it('ends without a stack when its reader has seen enough', async () => {
  const child = spawn(process.execPath, [cli, 'parse', path.join(root, 'public/sample-data')])
  let err = ''
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  child.stdout.once('data', () => child.stdout.destroy())
  await once(child, 'close')
  expect(err).toBe('')
})

it.each([['compare', sample, sample], ['show', path.join(root, 'public/sample-data')], ['help']])(
  'ends without a stack when nobody reads: %s',
  async (...args) => {
    const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let err = ''
    child.stderr.on('data', (chunk) => (err += String(chunk)))
    child.stdout.destroy()
    await once(child, 'close')
    expect(err).toBe('')
  },
)

it.each(['serve', 'backup', 'restore', 'password'])('names what %s needs, where the file is alone', (command) => {
  const { status, stderr } = run(command, ...(command === 'serve' ? [] : ['data.tar']))
  const line = 'tailboard: this file reads results only: the package and a clone have the server.'
  expect([status, stderr]).toEqual([2, `${line} See: tailboard help ${command}\n`])
})

describe('in a folder that cannot be written to', () => {
  // Root may write anywhere.
  const person = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  let place = ''
  beforeAll(async () => {
    place = path.join(folder, 'read-only')
    await mkdir(place)
    await copyFile(sample, path.join(place, 'a.txt'))
    await chmod(folder, 0o755)
    await chmod(place, 0o555)
  })
  afterAll(() => chmod(place, 0o755))
  const runThere = (...args: string[]) => {
    const env = { ...process.env, TMPDIR: place, HOME: place, BROWSER: 'true' }
    return spawnSync(process.execPath, [cli, ...args], { cwd: place, encoding: 'utf8', env, ...person })
  }

  it('reads and compares', () => {
    expect(runThere('compare', 'a.txt', 'a.txt')).toMatchObject({ status: 0, stderr: '' })
    expect(runThere('show', '.')).toMatchObject({ status: 0, stderr: '' })
  })

  it('says in one line that a page cannot be written', () => {
    for (const args of [['compare', '--html', 'out.html'], ['open']]) {
      const { status, stderr } = runThere(...args, 'a.txt', 'a.txt')
      expect([status, stderr.split('\n').length]).toEqual([2, 2])
      expect(stderr).toMatch(/^tailboard: .*cannot be written: EACCES: /)
    }
  })
})

it('reads a zip from a pipe', async () => {
  const child = spawn(process.execPath, [cli, 'show', '-'])
  let out = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stdin.end(zipFile([{ name: 'one.txt', content: await readFile(sample) }]))
  await once(child, 'close')
  expect(out).toContain('wrk')
})
