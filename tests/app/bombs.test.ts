import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tarHeader } from './tar-header'
import { zipFile, type ZipEntry } from './zip-file'

const MEGABYTE = 1024 ** 2
const same = Buffer.alloc(64 * MEGABYTE, `${'same '.repeat(19)}end.\n`)
let folder = ''
let program = ''
/** Unpacks to 64 MB. */
let unit = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-bombs-'))
  program = path.join(folder, 'read-in-child.mjs')
  unit = path.join(folder, 'unit.gz')
  await writeFile(unit, megabytes)
  // Bundled once: through tsx, each child would take longer to start than to read.
  await build({
    entryPoints: [path.join(import.meta.dirname, 'read-in-child.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: `import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)` },
    logLevel: 'error',
  })
})
afterAll(() => rm(folder, { recursive: true }))

const childSchema = z.object({
  outcome: z.object({ code: z.string(), message: z.string() }),
  times: z.number(),
  grownMb: z.number(),
})

async function readInChild(bytes: Uint8Array) {
  const file = path.join(folder, 'bomb')
  await writeFile(file, bytes)
  const child = await promisify(execFile)(process.execPath, [program, file, unit])
  return childSchema.parse(JSON.parse(child.stdout))
}

const many = (count: number, make: (index: number) => ZipEntry) =>
  Array.from({ length: count }, (_, index) => make(index))
const megabytes = gzipSync(same)

/** A gzip that unpacks to 640 MB. */
const gzipBomb = () => Buffer.concat(Array.from({ length: 10 }, () => megabytes))

/** A gzip that unpacks to 480 MB of four-character lines, 115 times its size: within the ratio. */
function shortLinesBomb(): Buffer {
  const part = gzipSync(Buffer.concat([Buffer.from(noise(80_000)), Buffer.alloc(16 * MEGABYTE, 'abc\n')]))
  return Buffer.concat(Array.from({ length: 30 }, () => part))
}

/** Non-repeating lines of three hex digits: 16-bit xorshift, full period. */
function noise(lines: number): string {
  let state = 1
  return Array.from({ length: lines }, () => {
    state ^= (state << 7) & 0xffff
    state ^= state >> 9
    state ^= (state << 8) & 0xffff
    return `${(state & 0xfff).toString(16).padStart(3, '0')}\n`
  }).join('')
}

function wrongChecksum(): Buffer {
  const packed = gzipSync('Summary:\n')
  return packed.fill(0, packed.length - 8, packed.length - 4)
}

const bombs: readonly (readonly [name: string, make: () => Uint8Array, code: string, message: RegExp])[] = [
  ['a gzip of one line', gzipBomb, 'too-large', /more than 200 times/],
  ['a gzip in a gzip', () => gzipSync(gzipBomb()), 'unknown-format', /gzip file in a gzip file/],
  ['a zip of one line', () => zipFile([{ name: 'a', content: same }]), 'too-large', /more than 200 times/],
  [
    'a zip whose entries share their bytes',
    () => zipFile(many(500, (index) => ({ name: `a${index}`, content: 'x'.repeat(9_999), sharesBytes: index > 0 }))),
    'malformed',
    /share the same bytes/,
  ],
  [
    'a zip that lies about a size',
    () => zipFile([{ name: 'a', content: same, claimedBytes: 10 }]),
    'unknown-format',
    /a: /,
  ],
  [
    'a zip of 60,000 files',
    () => zipFile(many(60_000, (index) => ({ name: `${index}`, content: '' }))),
    'too-large',
    /60,000 entries/,
  ],
  [
    'a tar of 20,000 files',
    () =>
      gzipSync(Buffer.concat(Array.from({ length: 20_000 }, (_, index) => tarHeader(`f${index}`, 0))), { level: 1 }),
    'too-large',
    /more than/,
  ],
  [
    'a tar.gz of one huge file',
    () => Buffer.concat([gzipSync(tarHeader('a', 8 ** 11 - 1)), megabytes]),
    'too-large',
    /more than 200 times/,
  ],
  ['a gzip of short lines', shortLinesBomb, 'too-large', /lines of a few characters/],
  ['a gzip with a wrong checksum', wrongChecksum, 'malformed', /damaged/],
]

describe('bombs', () => {
  it.each(bombs)(
    '%s is refused within 20 times the CPU of unpacking 64 MB, and within 128 MB',
    { timeout: 60_000 },
    async (_name, make, code, message) => {
      const { outcome, times, grownMb } = await readInChild(make())
      expect(outcome).toEqual({ code, message: expect.stringMatching(message) })
      expect(times).toBeLessThan(20)
      expect(grownMb).toBeLessThan(128)
    },
  )
})
