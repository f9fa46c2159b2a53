import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHead } from '../../importers/text/bytes'
import { findForeignBytes, findForeignLine } from '../../importers/foreign'
import type { Bytes, Line } from '../../importers/importer'
import { maxLineBytes } from '../../importers/text/line-splitter'
import { readLines } from '../../importers/text/lines'
import { ImportError } from '../../lib/errors'
import { caseCount } from '../case-count'

async function* inChunks(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(content: string | Uint8Array, size = 65_536): Promise<{ lines: Line[]; encoding: string }> {
  const text = readLines(inChunks(Buffer.from(content), size))
  const lines: Line[] = []
  for await (const line of text) lines.push(line)
  return { lines, encoding: text.encoding }
}

async function readTexts(content: string | Uint8Array, size?: number): Promise<string[]> {
  return (await read(content, size)).lines.map(({ text }) => text)
}

describe('line ends', () => {
  it.each([1, 2, 3, 7, 65_536])('are LF, CR LF, CR CR LF and CR, in chunks of %i', async (size) => {
    expect(await readTexts('a\nb\r\nc\r\r\nd\re\n\nf', size)).toEqual(['a', 'b', 'c', 'd', 'e', '', 'f'])
    expect(await readTexts('a\r\r', size)).toEqual(['a', ''])
    expect(await readTexts('', size)).toEqual([])
  })

  it('are the same read byte by byte or many lines at once, in every encoding', async () => {
    const pieces = ['a', ' plain text', '\n', '\r', '\r\n', '\r\r\n', '\t', 'é', '■', '\u001b[2J', '\u00a0']
      .map((piece) => Buffer.from(piece))
      .concat([0x80, 0xb5, 0xc3, 0xe2, 0xff].map((byte) => Buffer.from([byte])))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), async (parts) => {
        const bytes = Buffer.concat([Buffer.from('begin'), ...parts])
        const slow = await read(bytes, 1)
        for (const size of [5, 16, 65_536]) expect(await read(bytes, size)).toEqual(slow)
      }),
      { numRuns: caseCount(300) },
    )
  })

  it('truncate a long line instead of buffering it', async () => {
    const { lines } = await read(`${'é'.repeat(maxLineBytes)}\nnext\n`, 1_000)
    expect(lines.map(({ text, tooLong }) => [text.length, tooLong ?? false])).toEqual([
      [maxLineBytes / 2, true],
      [4, false],
    ])
  })
})

describe('encodings', () => {
  const text = 'Latency 178.114µs ■\nzweite Zeile, lang genug um sie am Muster zu erkennen'
  const wide = Buffer.from(text, 'utf16le')
  it.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', wide],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', Buffer.from(wide).swap16()],
    ['utf-16be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('%s', async (encoding, bytes) => {
    for (const size of [1, 7, 4_096]) {
      const result = await read(bytes, size)
      expect(result.encoding).toBe(encoding)
      expect(result.lines.map((line) => line.text)).toEqual(text.split('\n'))
    }
  })

  it('windows-1252 is detected line by line', async () => {
    const { lines, encoding } = await read(Buffer.from('plain\n178.114\xb5s \x80\n', 'latin1'))
    expect([encoding, lines[1]?.text]).toEqual(['windows-1252', '178.114µs €'])
  })

  it('a character cut off by the end of the file is dropped', async () => {
    const bytes = Buffer.from('0.005 [7]\t|■■')
    expect(await readTexts(bytes.subarray(0, -1))).toEqual(['0.005 [7]\t|■'])
    expect((await read(bytes.subarray(0, -2))).encoding).toBe('utf-8')
  })

  it('binary content is refused with its offset and, if known, its name', async () => {
    await expect(read(Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))).rejects.toThrow(ImportError)
    await expect(read(Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))).rejects.toMatchObject({
      code: 'unknown-format',
      offset: 2,
      message: expect.stringContaining('zip'),
    })
  })
})

describe('prefixes', () => {
  it.each([
    ['[2026-11-21 03:01:26]   2 threads and 12 connections', '  2 threads and 12 connections'],
    ['03:01:26.888656 Summary:', 'Summary:'],
    ['03:01:26.888656 ', ''],
    ['2026-11-21T03:01:26.1234567Z   Total:\t0.2501 secs', '  Total:\t0.2501 secs'],
    ['Nov 21 03:01:26 Requests/sec:   2513.48', 'Requests/sec:   2513.48'],
    ['Nov 21 03:01:26 bench wrk[4711]: Requests/sec:   2513.48', 'Requests/sec:   2513.48'],
    ['out.txt:12:  Total:\t0.2501 secs', '  Total:\t0.2501 secs'],
    ['logs/out.txt:Requests/sec:   2513.48', 'Requests/sec:   2513.48'],
    ['web_1  | 2026-11-21T03:01:26Z Summary:', 'Summary:'],
    ['> > Summary:', 'Summary:'],
    ['Latency\u00a0\u00a0 4.03\u001b[0mms', 'Latency   4.03ms'],
    ['\u001b]0;dev@bench\u0007\u001b[1;32mdev\u001b[0m$ wrx\b \bk -t2', 'dev$ wrk -t2'],
  ])('%j', async (raw, text) => {
    const { lines } = await read(raw)
    expect(lines).toEqual([{ number: 1, text, raw }])
  })

  it.each([
    'get_json | 49.93 | 241',
    'note: 12 requests in 3 minutes',
    'https://example.org:8080/x: slow',
    '2026-11-21,1.7,1.6',
    '    0.005 [7]\t|■',
    '[200]\t1801 responses',
  ])('%j stays as it is', async (raw) => {
    expect(await readTexts(raw)).toEqual([raw])
  })

  it('are still recognised on lines between known ones', async () => {
    expect(await readTexts('w_1 | Error Set:\nw_1 | EOF\nother | x\nw_1 | y')).toEqual([
      'Error Set:',
      'EOF',
      'other | x',
      'w_1 | y',
    ])
  })

  it("show vegeta's clear-screen codes", async () => {
    const { lines } = await read('\u001b[2J\u001b[0;0HRequests      [total]\nDuration')
    expect(lines.map(({ text, clearsScreen }) => [text, clearsScreen ?? false])).toEqual([
      ['Requests      [total]', true],
      ['Duration', false],
    ])
  })
})

describe('foreign output', () => {
  it('is named by its first distinctive line', () => {
    expect(findForeignLine('Summary:', '')).toBeNull()
    expect(findForeignLine('Lifting the server siege...', '')).toMatchObject({ tool: 'siege', kind: 'other-tool' })
    expect(findForeignLine('  Total:\t0.4161 secs', 'Summary:')).toBeNull()
    expect(findForeignLine('Usage: wrk <options> <url>                            ', '')?.kind).toBe('no-results')
  })

  it('is named by its first bytes', () => {
    expect(findForeignBytes(Buffer.from('1f8b0800', 'hex'))?.tool).toBe('a gzip file')
    expect(findForeignBytes(Buffer.from('just text'))).toBeNull()
  })
})

it('readHead returns the head and the whole', async () => {
  for (const size of [1, 4, 100]) {
    const { head, bytes } = await readHead(inChunks(Buffer.from('abcdefgh'), size), 3)
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    expect([Buffer.from(head).toString(), Buffer.concat(chunks).toString()]).toEqual(['abc', 'abcdefgh'])
  }
})
