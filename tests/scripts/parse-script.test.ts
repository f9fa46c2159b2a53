import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const outputSchema = z.object({
  files: z.array(
    z.object({
      name: z.string(),
      sha256: z.string().nullable(),
      runs: z.array(z.object({ tool: z.string() })),
      problems: z.array(z.object({ code: z.string(), severity: z.string(), line: z.number().nullable() })),
      cellNotes: z.array(z.unknown()),
    }),
  ),
})

function parse(...paths: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.js', 'parse', ...paths], {
    cwd: root,
    // If nothing has been built yet.
    env: { ...process.env, TAILBOARD_NEXT_DIR: '.next/nowhere' },
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  })
  return { status, stderr, files: stdout === '' ? [] : outputSchema.parse(JSON.parse(stdout)).files }
}

it('prints one document for all files and exits with 0 if each yielded a run', () => {
  const paths = ['tests/fixtures/documents/smithy-wrk.md', 'tests/fixtures/documents/zlib-gzip.md']
  const { status, files } = parse(...paths)
  expect(status).toBe(0)
  expect(files.map(({ name, runs }) => [name, runs.length])).toEqual([
    ['smithy-wrk.md', 2],
    ['zlib-gzip.md', 4],
  ])
  for (const [index, path] of paths.entries())
    expect(files[index]?.sha256).toBe(
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    )
})

it('exits with 2 for refused, truncated and unreadable files, and still prints the others', () => {
  const { status, files } = parse(
    'tests/fixtures/documents/smithy-wrk.md',
    'tests/fixtures/foreign/gatling-stats.txt',
    'tests/fixtures/hey-text/cut-before-percentiles.txt',
    'tests/fixtures/nowhere.txt',
    'tests/fixtures',
  )
  expect(status).toBe(2)
  expect(files.map(({ runs, problems }) => [runs.length, problems[0]?.code ?? null])).toEqual([
    [2, null],
    [0, 'unknown-format'],
    [1, 'truncated'],
    [0, 'unreadable'],
    [0, 'unreadable'],
  ])
  expect(files[3]?.sha256).toBeNull()
})

it('prints its usage', () => {
  const { status, stderr } = parse()
  expect(status).toBe(2)
  expect(stderr).toMatch(/^Usage: /)
})
