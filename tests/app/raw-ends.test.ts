import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { storedFile } from '@/app/_server/store/folder-store'
import { readRawEnds } from '@/app/_server/uploads/read-raw-ends'

const folder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-ends-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fixture = (name: string) => readFileSync(path.join('tests/fixtures', name))
const endsOf = (bytes: Uint8Array, form: string) => {
  const file = path.join(folder, 'raw')
  writeFileSync(file, bytes)
  return readRawEnds(storedFile(file, bytes.length), form)
}
/** Lines of a file that ends with a line feed. */
const linesOf = (bytes: Buffer) =>
  bytes
    .toString('utf8')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)

describe('readRawEnds', () => {
  it.each([
    ['hey-csv', 'hey-csv/slow.csv'],
    ['vegeta-csv', 'vegeta-csv/v6.csv'],
  ])('shows the first and last lines of %s with their numbers', async (form, name) => {
    const bytes = fixture(name)
    const lines = linesOf(bytes)
    expect(lines.length).toBeGreaterThan(20)
    const ends = await endsOf(bytes, form)
    expect(ends?.isTruncated).toBe(true)
    expect(ends?.first.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(ends?.first[0]?.text).toBe(lines[0])
    expect(ends?.last.map(({ number }) => number)).toEqual(Array.from({ length: 10 }, (_, at) => lines.length - 9 + at))
    expect(ends?.last.at(-1)?.text).toBe(lines.at(-1))
  })

  it('shows lines of every raw form except gob', async () => {
    const bytes = fixture('hdr-log/two-tags.hlog')
    expect((await endsOf(bytes, 'hdr-log'))?.first[0]?.text).toBe(linesOf(bytes)[0])
  })

  it('shows a short file completely', async () => {
    const ends = await endsOf(fixture('hey-csv/five-responses.csv'), 'hey-csv')
    expect(ends).toMatchObject({ last: [], isTruncated: false })
    expect(ends?.first).toHaveLength(6)
  })

  it('reads only the ends of a large file: its last lines are whole and have no numbers', async () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => `row ${at + 1}`)
    const ends = await endsOf(Buffer.from(`${rows.join('\n')}\n`), 'vegeta-csv')
    expect(ends?.first.map(({ text }) => text)).toEqual(rows.slice(0, 10))
    expect(ends?.last).toEqual(rows.slice(-10).map((text) => ({ number: null, text })))
  })

  it('shows the beginning of a packed file, and of one whose lines contain bodies', async () => {
    const long = 'x'.repeat(300_000)
    const packed = await endsOf(gzipSync(`first\nsecond\n${long}\n`), 'vegeta-results-json')
    expect(packed).toEqual({
      first: [
        { number: 1, text: 'first' },
        { number: 2, text: 'second' },
      ],
      last: [],
      isTruncated: true,
    })
    const ends = await endsOf(Buffer.from(`${long}\n`), 'vegeta-results-json')
    expect(ends?.first).toEqual([{ number: 1, text: `${'x'.repeat(400)} …` }])
  })

  it('masks secrets, and leaves gob and archives alone', async () => {
    const ends = await endsOf(
      Buffer.from('{"url":"http://a/","authorization":"Bearer abcdefghijklmnop123456"}\n'),
      'vegeta-results-json',
    )
    expect(ends?.first[0]?.text).not.toContain('abcdefghijklmnop123456')
    expect(await endsOf(fixture('vegeta-gob/short.bin'), 'vegeta-gob')).toBeNull()
    expect(await endsOf(Buffer.from('PK\u0003\u0004 and so on'), 'vegeta-csv')).toBeNull()
  })
})
