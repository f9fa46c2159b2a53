import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readInWorker } from '@/app/_server/uploads/read-in-worker'
import { nodeUnpacker } from '@/app/_server/archive/node-unpacker'
import { readUpload } from '@/importers/carriers/read-upload'
import { IncompleteBodyError } from '@/app/_server/http/respond'
import { zipFile } from './zip-file'

async function* chunksOf(bytes: Uint8Array, size = 1_000) {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}
const storedOf = (bytes: Uint8Array) => () =>
  Promise.resolve({
    sizeBytes: bytes.length,
    read: (start: number, end: number) => Readable.from(chunksOf(bytes.subarray(start, end)), { objectMode: false }),
  })
const read = (bytes: Uint8Array) => readInWorker(chunksOf(bytes), storedOf(bytes), { masks: false, mapping: null })
const document = await readFile('tests/fixtures/documents/cascade-load-test.md')

describe('readInWorker', () => {
  it.each([
    ['a document', document],
    ['a gzip', gzipSync(document)],
    [
      'a zip',
      zipFile([
        { name: 'a.md', content: document },
        { name: 'b.md', content: document },
      ]),
    ],
  ])('reads %s as readUpload does', async (_name, bytes) => {
    const { file } = await read(bytes)
    expect(file).toEqual(await readUpload(chunksOf(bytes), nodeUnpacker(storedOf(bytes))))
    expect(file.runs.length).toBeGreaterThan(0)
  })

  it('reads many files at once', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => read(document)))
    expect(new Set(all.map(({ file }) => JSON.stringify(file))).size).toBe(1)
  })

  it("refuses with the importer's location and hint", async () => {
    const many = Buffer.from('Running 3s test @ http://127.0.0.1/\n  2 threads and 16 connections\n'.repeat(12_000))
    await expect(read(many)).rejects.toMatchObject({
      name: 'ImportError',
      code: 'too-large',
      line: 20_001,
      hint: expect.stringContaining('Split it'),
    })
  })

  it('throws the error of its input, and reads the next upload', async () => {
    async function* broken() {
      yield document.subarray(0, 500)
      await Promise.resolve()
      throw new IncompleteBodyError('gone')
    }
    await expect(readInWorker(broken(), storedOf(document), { masks: false, mapping: null })).rejects.toThrow(
      IncompleteBodyError,
    )
    expect((await read(document)).file.runs.length).toBeGreaterThan(0)
  })

  it('masks what it reads', async () => {
    const text = `$ hey -H "Authorization: Bearer abcdefghijklmnop" http://127.0.0.1/\n\n${await readFile('tests/fixtures/hey-text/ten-thousand.txt', 'utf8')}`
    const { file, masked } = await readInWorker(chunksOf(Buffer.from(text)), storedOf(Buffer.from(text)), {
      masks: true,
      mapping: null,
    })
    expect(JSON.stringify(file)).not.toContain('abcdefghijklmnop')
    expect(masked.length).toBeGreaterThan(0)
  })
})
