import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { runCli } from './run-cli'

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

async function parse(...paths: string[]) {
  const { exit, out, err } = await runCli(['parse', ...paths])
  return { exit, err, files: out === '' ? [] : outputSchema.parse(JSON.parse(out)).files }
}

it('prints one document for all files and exits with 0 if each yielded a run', async () => {
  const paths = ['tests/fixtures/documents/smithy-wrk.md', 'tests/fixtures/documents/zlib-gzip.md']
  const { exit, files } = await parse(...paths)
  expect(exit).toBe(0)
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

it('exits with 2 for refused, truncated and missing files, and still prints the others', async () => {
  const { exit, files } = await parse(
    'tests/fixtures/documents/smithy-wrk.md',
    'tests/fixtures/foreign/gatling-stats.txt',
    'tests/fixtures/hey-text/cut-before-percentiles.txt',
    'tests/fixtures/nowhere.txt',
  )
  expect(exit).toBe(2)
  expect(files.map(({ runs, problems }) => [runs.length, problems[0]?.code ?? null])).toEqual([
    [2, null],
    [0, 'unknown-format'],
    [1, 'truncated'],
    [0, 'unreadable'],
  ])
  expect(files[3]?.sha256).toBeNull()
})

it('reads folders and globs, in the order of their names', async () => {
  const { files } = await parse('tests/fixtures/documents/s*.md', 'public/sample-data')
  expect(files.map(({ name }) => name)).toContain('smithy-wrk.md')
  expect(files.map(({ name }) => name)).toContain('zlib-gzip.md')
})

it('needs a file', async () => {
  expect(await parse()).toEqual({
    exit: 2,
    err: 'tailboard: parse needs a file. See: tailboard help parse\n',
    files: [],
  })
})
