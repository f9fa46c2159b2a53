import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { nodeUnpacker } from '@/app/_server/archive/node-unpacker'
import { readUpload } from '@/importers/carriers/read-upload'
import type { Unpacker } from '@/importers/carriers/unpacker'
import { ImportError } from '@/lib/errors'
import { browserUnpacker } from '@/viewer/unpack/browser-unpacker'
import { zipFile } from '../app/zip-file'
import { tarOf } from '../tar'

const hey = await readFile('tests/fixtures/hey-text/crlf.txt')
const text = hey.toString('latin1')

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** What is read, or the words of the error. */
async function outcomeOf(bytes: Uint8Array, size: number, unpacker: Unpacker): Promise<unknown> {
  try {
    return await readUpload(inChunks(bytes, size), unpacker)
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const { code, message, hint, offset } = error
    return { code, message, hint, offset }
  }
}

async function expectSame(bytes: Buffer): Promise<void> {
  const read = (start: number, end: number) => Readable.from([bytes.subarray(start, end)])
  const stored = () => Promise.resolve({ sizeBytes: bytes.length, read })
  for (const size of [977, 65_536]) {
    const server = await outcomeOf(bytes, size, nodeUnpacker(stored))
    expect(await outcomeOf(bytes, size, browserUnpacker(new Blob([new Uint8Array(bytes)])))).toEqual(server)
  }
}

const damagedAt = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0x55
  return copy
}

const half = hey.length >> 1
const gzip = gzipSync(hey)
const members = Buffer.concat([gzipSync(hey.subarray(0, half)), gzipSync(hey.subarray(half))])
const tar = await tarOf({ 'a/first.txt': text, 'README.md': 'nothing', [`${'long/'.repeat(30)}b.txt`]: text })
const zip = zipFile([
  { name: 'a.txt', content: hey },
  { name: '../b.txt', content: hey },
  { name: 'c.txt', content: gzip },
])
const packs: Readonly<Record<string, Buffer>> = {
  'a gzip': gzip,
  'a gzip of two members': members,
  'a gzip with more behind it': Buffer.concat([members, Buffer.from('more')]),
  'a gzip with zeros behind it': Buffer.concat([gzip, Buffer.alloc(600)]),
  'a gzip with a wrong checksum': damagedAt(gzip, gzip.length - 6),
  'a truncated gzip': gzip.subarray(0, gzip.length - 20),
  'a tar': tar,
  'a tar in a gzip': gzipSync(tar),
  'a truncated tar': tar.subarray(0, 900),
  'a damaged tar': damagedAt(tar, 512 * Math.ceil(hey.length / 512) + 520),
  'a zip': zip,
  'a truncated zip': zip.subarray(0, zip.length - 40),
  'a zip with a damaged file': damagedAt(zip, 60),
  'a gzip in a gzip': gzipSync(gzip),
  'a bomb': gzipSync(Buffer.alloc(3_000_000)),
}

it.each(Object.keys(packs))('reads %s as the server does', async (name) => {
  await expectSame(packs[name] ?? Buffer.alloc(0))
})
