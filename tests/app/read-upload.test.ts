import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { pack, type Header } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { nodeUnpacker } from '@/app/_server/archive/node-unpacker'
import type { StoredBytes } from '@/app/_server/archive/open-zip'
import { readUpload } from '@/importers/carriers/read-upload'
import { importFile } from '@/importers/index'
import { zipFile } from './zip-file'

const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url))
const hey = await fixture('hey-text/crlf.txt')
const csv = Buffer.concat(Array.from({ length: 400 }, () => Buffer.from(row())))

/** A row of vegeta's CSV. */
function row(): string {
  return '1700000000000000000,200,1000000,12,34,,bmFtZQ==,a,0,GET,http://127.0.0.1/,\n'
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

function stored(bytes: Uint8Array): StoredBytes {
  return { sizeBytes: bytes.length, read: (start, end) => Readable.from([Buffer.from(bytes.subarray(start, end))]) }
}

const read = (bytes: Uint8Array, size = 1_000) =>
  readUpload(
    inChunks(bytes, size),
    nodeUnpacker(() => Promise.resolve(stored(bytes))),
  )

async function tarFile(
  entries: readonly ((Partial<Header> & Pick<Header, 'name'>) & { content?: Uint8Array })[],
): Promise<Buffer> {
  const tar = pack()
  for (const { content, ...header } of entries) tar.entry(header, Buffer.from(content ?? ''))
  tar.finalize()
  const parts: Uint8Array[] = []
  for await (const part of tar as AsyncIterable<unknown>) if (part instanceof Uint8Array) parts.push(part)
  return Buffer.concat(parts)
}

describe('gzip', () => {
  it.each([1, 7, 65_536])('gives the same as the plain file, in chunks of %i', async (size) => {
    const plain = await importFile(inChunks(hey, 4_096))
    expect(await read(gzipSync(hey), size)).toEqual(plain)
    const half = hey.length >> 1
    const members = Buffer.concat([gzipSync(hey.subarray(0, half)), gzipSync(hey.subarray(half))])
    expect(await read(members, size)).toEqual(plain)
  })

  it('if truncated, yields every complete result before the truncation', async () => {
    const packed = gzipSync(csv, { level: 0 })
    const whole = await read(packed)
    const end = packed.length - 8 - 4 * row().length - 5
    const { runs, problems } = await read(packed.subarray(0, end), 65_536)
    expect(whole.runs[0]?.requests).toBe(400)
    expect(runs.map((run) => [run.requests, run.complete])).toEqual([[395, false]])
    expect(problems.at(-1)).toMatchObject({ code: 'truncated', severity: 'error' })
  })

  it('if damaged, is refused: none of its figures is reliable', async () => {
    const packed = gzipSync(csv)
    packed.writeUInt8((packed.at(-7) ?? 0) ^ 1, packed.length - 7)
    await expect(read(packed)).rejects.toMatchObject({ code: 'malformed' })
  })

  it.each([1, 7, 65_536])(
    'with trailing data yields its content and reports the rest, in chunks of %i',
    async (size) => {
      const plain = await importFile(inChunks(hey, 4_096))
      const half = hey.length >> 1
      const packed = Buffer.concat([gzipSync(hey.subarray(0, half)), gzipSync(hey.subarray(half))])
      const { runs, problems } = await read(Buffer.concat([packed, Buffer.from('-- end of log --\n')]), size)
      expect(runs).toEqual(plain.runs)
      expect(problems.map(({ message }) => message)).toEqual([
        `from byte ${packed.length} on, something follows the gzip file that is not part of it; it was not read`,
      ])
    },
  )

  it('inside a zip is read as its file, once', async () => {
    const plain = await importFile(inChunks(hey, 4_096))
    const { runs } = await read(zipFile([{ name: 'hey.txt.gz', content: gzipSync(hey) }]))
    expect(runs).toEqual(plain.runs.map((run) => ({ ...run, context: { ...run.context, file: 'hey.txt.gz' } })))
    await expect(read(zipFile([{ name: 'a.gz', content: gzipSync(gzipSync(hey)) }]))).rejects.toMatchObject({
      message: expect.stringContaining('a gzip file in a gzip file is not read'),
    })
  })

  it('inside gzip, and unsupported carriers, are refused with the command that unpacks them', async () => {
    await expect(read(gzipSync(gzipSync(hey)))).rejects.toMatchObject({
      code: 'unknown-format',
      hint: expect.stringContaining('gunzip FILE'),
    })
    const xz = Buffer.concat([Buffer.from('fd377a585a000004', 'hex'), Buffer.alloc(100)])
    await expect(read(xz)).rejects.toMatchObject({ hint: expect.stringContaining('xz -d FILE') })
  })
})

describe('zip', () => {
  it('yields the runs of its files in order, with their names', async () => {
    const file = await read(
      zipFile([
        { name: 'out/', content: '' },
        { name: 'out/b.txt', content: hey },
        { name: '__MACOSX/out/._b.txt', content: 'x' },
        { name: 'out/a.csv', content: csv },
        { name: 'README', content: 'nothing here\n' },
      ]),
    )
    expect(file.runs.map((run) => run.context.file)).toEqual(['out/b.txt', 'out/a.csv'])
    expect(file.problems.map((one) => [one.file, one.severity])).toEqual([['README', 'warning']])
  })

  it('keeps what can be read if an entry cannot', async () => {
    const { runs, problems } = await read(
      zipFile([
        { name: 'secret.txt', content: hey, flags: 1 },
        { name: 'link', content: '/etc/passwd', mode: 0o120777 },
        { name: '../up.txt', content: hey },
        { name: 'in.zip', content: zipFile([{ name: 'a', content: hey }]) },
        { name: 'damaged.csv', content: csv, crc: 1 },
        { name: 'liar.csv', content: csv, claimedBytes: 10 },
        { name: 'good.txt', content: hey },
      ]),
    )
    expect(runs.map((run) => run.context.file)).toEqual(['good.txt'])
    expect(problems.map((one) => [one.file, one.message.split(' (')[0]])).toEqual([
      ['secret.txt', 'it is encrypted'],
      ['link', 'it is a symbolic link, not a file'],
      ['../up.txt', 'its name points outside the archive'],
      ['in.zip', 'a zip file in an archive is not read'],
      ['damaged.csv', 'it is damaged'],
      ['liar.csv', 'it is damaged'],
    ])
  })

  it('without its end, without a file, or full of other files, is refused', async () => {
    const whole = zipFile([{ name: 'a', content: hey }])
    await expect(read(whole.subarray(0, -30))).rejects.toMatchObject({ code: 'truncated' })
    await expect(read(zipFile([]))).rejects.toMatchObject({ code: 'empty' })
    await expect(read(zipFile([{ name: 'a', content: 'hello' }]))).rejects.toMatchObject({
      message: expect.stringContaining('a: '),
    })
  })
})

describe('tar', () => {
  it.each([1, 512, 65_536])('yields the runs of its files in order, in chunks of %i, packed or not', async (size) => {
    const tar = await tarFile([
      { name: 'out', type: 'directory' },
      { name: 'out/.DS_Store', content: Buffer.from('x') },
      { name: `out/${'long'.repeat(40)}.txt`, content: hey },
      { name: 'link', type: 'symlink', linkname: '/etc/passwd' },
      { name: '/abs.txt', content: hey },
      { name: 'out/a.csv', content: csv },
    ])
    for (const bytes of [tar, gzipSync(tar)]) {
      const { runs, problems } = await read(bytes, size)
      expect(runs.map((run) => run.context.file)).toEqual([`out/${'long'.repeat(40)}.txt`, 'out/a.csv'])
      expect(problems.map((one) => one.file)).toEqual(['link', '/abs.txt'])
    }
  })

  it('if truncated, yields the complete results before the truncation', async () => {
    const tar = await tarFile([
      { name: 'a.txt', content: hey },
      { name: 'b.csv', content: csv },
    ])
    const start = tar.indexOf(row())
    for (const size of [1_000, 65_536]) {
      const { runs, problems } = await read(tar.subarray(0, start + 300 * row().length + 5), size)
      expect(runs.map((run) => [run.requests, run.complete])).toEqual([
        [expect.any(Number), true],
        [300, false],
      ])
      expect(problems.at(-1)?.code).toBe('truncated')
    }
  })
})
