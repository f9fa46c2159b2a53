import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

it('reads a zip from a pipe', async () => {
  const child = spawn(process.execPath, [cli, 'show', '-'])
  let out = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stdin.end(zipFile([{ name: 'one.txt', content: await readFile(sample) }]))
  await once(child, 'close')
  expect(out).toContain('wrk')
})
