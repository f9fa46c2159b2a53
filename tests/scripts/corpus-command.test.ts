import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'

const fixtures = path.join(import.meta.dirname, '../fixtures')
const truthSchema = z.record(z.string(), z.unknown())
let folder: string
let files: { file: string }[]

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-corpus-'))
  files = []
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Puts a fixture with its truth, modified by `change`, into the folder. */
function add(fixture: string, change: Readonly<Record<string, unknown>> = {}, truthOf = fixture): void {
  const file = `${files.length}-${path.basename(fixture)}`
  copyFileSync(path.join(fixtures, fixture), path.join(folder, file))
  const truth = truthSchema.parse(JSON.parse(readFileSync(path.join(fixtures, `${truthOf}.truth.json`), 'utf8')))
  writeFileSync(path.join(folder, `${file}.expected.json`), JSON.stringify({ ...truth, ...change }))
  files.push({ file })
}

function run() {
  writeFileSync(path.join(folder, 'index.json'), JSON.stringify({ files }))
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', path.join(import.meta.dirname, '../truth/corpus.ts'), folder],
    { encoding: 'utf8' },
  )
  return { status, stdout }
}

it('accepts whole files, truncated ones reported as such, and files that may be refused, which it counts separately', () => {
  add('hey-csv/slow.csv')
  add('hey-csv/cut.csv')
  add('hey-text/cut-before-percentiles.txt')
  add('foreign/gatling-stats.txt', { expected_import: 'optional' }, 'hey-text/http2.txt')
  const { status, stdout } = run()
  expect(stdout).not.toContain('Mismatches:')
  expect(stdout).toMatch(/^all +3 +\d+ +0 +1 refused$/m)
  expect(status).toBe(0)
})

it('reports a loss that differs from the one in the notes, and an unreported one', () => {
  add('hey-csv/cut.csv', { notes: ['summary cut before the percentiles: no status codes'] })
  add('hey-csv/slow.csv', { expected_import: 'partial', notes: ['cut inside a line'] })
  add('hey-csv/cut.csv', { notes: ['something else'] })
  const { status, stdout } = run()
  expect(stdout).toContain('0-cut.csv: truncated with /status codes/ expected, but told was truncated: ')
  expect(stdout).toContain('1-slow.csv: partial, but its last run passes for a whole one')
  expect(stdout).toContain('1-slow.csv: truncated with ')
  expect(stdout).toContain('2-cut.csv: its notes name no problem that is known here: something else')
  expect(stdout).toMatch(/^all +3 +\d+ +3$/m)
  expect(status).toBe(1)
})

it('requires the reason of a refusal', () => {
  add('foreign/gatling-stats.txt', { expected_import: 'reject', notes: ['empty file'] }, 'hey-text/http2.txt')
  add('hey-text/http2.txt', { expected_import: 'reject', notes: ['empty file'] })
  const { status, stdout } = run()
  expect(stdout).toContain('0-gatling-stats.txt: empty expected, but told was unknown-format: ')
  expect(stdout).toContain('1-http2.txt: read, but there is nothing in it to read')
  expect(status).toBe(1)
})
