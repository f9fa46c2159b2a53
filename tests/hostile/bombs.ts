import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'
import { tarHeader } from '../app/tar-header'
import { zipFile, type ZipEntry } from '../app/zip-file'
import { many, megabyte, noise, packed, type Attack } from './attack'
import { heyReport, histTable, lambdaTable, vegetaJsonRow, vegetaRow, wrkReport } from './texts'

const same = (megabytes: number): Buffer => Buffer.alloc(megabytes * megabyte, `${'same '.repeat(19)}end.\n`)
const times = (count: number, part: Uint8Array): Buffer => Buffer.concat(Array.from({ length: count }, () => part))
const entries = (count: number, make: (index: number) => ZipEntry): ZipEntry[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** `file` in a tar, with any size claimed in the header. */
const tarOf = (name: string, file: Uint8Array, claimed = file.length, type = '0'): Buffer =>
  Buffer.concat([tarHeader(name, claimed, type), file, Buffer.alloc((512 - (file.length % 512)) % 512)])

/** A zstd frame that repeats one byte: four bytes per block of 128 KiB. */
function zstdBomb(megabytes: number): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])
  const block = (isLast: boolean) => {
    const bytes = Buffer.alloc(4, 'a')
    bytes.writeUIntLE((128 * 1024 * 8) | (1 << 1) | Number(isLast), 0, 3)
    return bytes
  }
  return Buffer.concat([head, times(megabytes * 8 - 1, block(false)), block(true)])
}

/** Rows that compress to a hundredth, each with a different end. */
const rows = (count: number): Buffer => many(count, (index) => vegetaRow(index))

/** Small files that are expensive to read. */
export const bombs: readonly Attack[] = [
  { name: 'gzip of 640 MB of one line', make: () => times(10, gzipSync(same(64))), isQuick: true },
  { name: 'gzip in a gzip', make: () => gzipSync(times(10, gzipSync(same(64)))) },
  {
    name: 'gzip of 480 MB of lines of three letters',
    make: () => times(30, gzipSync(Buffer.concat([noise(320_000), Buffer.alloc(16 * megabyte, 'abc\n')]))),
  },
  {
    name: 'gzip of 90 MB of small tables of Lambda figures',
    make: () => packed(many(1_200_000, lambdaTable)),
  },
  { name: 'gzip of 90 MB of small tables of vegeta', make: () => packed(many(900_000, histTable)), isQuick: true },
  { name: 'gzip of 90 MB of reports of hey', make: () => packed(many(400_000, heyReport)) },
  { name: 'gzip of 90 MB of reports of wrk', make: () => packed(many(230_000, wrkReport)) },
  {
    name: 'gzip of 190 MB of line ends',
    make: () => packed(Buffer.concat([noise(megabyte), Buffer.alloc(190 * megabyte, '\n')])),
  },
  {
    name: 'gzip of 190 MB of carriage returns',
    make: () => packed(Buffer.concat([noise(megabyte), Buffer.alloc(190 * megabyte, '\r')])),
  },
  { name: 'gzip of 90 MB of one line that does not repeat', make: () => packed(noise(90 * megabyte)) },
  {
    name: 'gzip of 190 MB of UTF-16',
    make: () =>
      packed(
        Buffer.concat([
          Buffer.from('\ufeff', 'utf16le'),
          Buffer.from(noise(megabyte).toString('latin1'), 'utf16le'),
          Buffer.alloc(190 * megabyte, Buffer.from('ab\n', 'utf16le')),
        ]),
      ),
  },
  { name: 'gzip of 100,000 empty members', make: () => times(100_000, gzipSync('')) },
  {
    name: 'gzip, announced as such',
    make: () => times(10, gzipSync(same(64))),
    headers: { 'content-encoding': 'gzip' },
  },
  {
    name: 'gzip with a wrong checksum after 60 MB',
    make: () => {
      const bytes = packed(rows(700_000))
      return bytes.fill(0, bytes.length - 8, bytes.length - 4)
    },
  },
  { name: 'gzip that is cut after 60 MB', make: () => packed(rows(700_000)).subarray(0, -2_000) },
  { name: 'gzip of 180 MB of results', make: () => times(3, packed(rows(700_000))) },
  { name: 'brotli', make: () => brotliCompressSync(same(64)) },
  {
    name: 'brotli, announced as such',
    make: () => brotliCompressSync(same(64)),
    headers: { 'content-encoding': 'br' },
  },
  { name: 'zstd of 4 GB', make: () => zstdBomb(4_096) },
  { name: 'zip of one line', make: () => zipFile([{ name: 'a', content: same(64) }]) },
  {
    name: 'zip whose entries share their bytes',
    make: () =>
      zipFile(entries(500, (index) => ({ name: `a${index}`, content: 'x'.repeat(9_999), sharesBytes: index > 0 }))),
  },
  {
    name: 'zip that claims 10 bytes for 64 MB',
    make: () => zipFile([{ name: 'a', content: same(64), claimedBytes: 10 }]),
  },
  { name: 'zip of 60,000 files', make: () => zipFile(entries(60_000, (index) => ({ name: `${index}`, content: '' }))) },
  {
    name: 'zip of 1,000 files of 100 kB',
    make: () =>
      zipFile(
        entries(1_000, (index) => ({ name: `${index}.txt`, content: many(450, (at) => heyReport(index * 450 + at)) })),
      ),
    isQuick: true,
  },
  {
    name: 'zip in a zip',
    make: () => zipFile([{ name: 'a.zip', content: zipFile([{ name: 'a', content: same(64) }]) }]),
  },
  { name: 'zip with a wrong checksum', make: () => zipFile([{ name: 'a', content: rows(200_000), crc: 1 }]) },
  {
    name: 'tar.gz of 20,000 files',
    make: () =>
      gzipSync(Buffer.concat(Array.from({ length: 20_000 }, (_, index) => tarHeader(`f${index}`, 0))), { level: 1 }),
  },
  {
    name: 'tar.gz of a file that claims 8 GB',
    make: () => gzipSync(Buffer.concat([tarHeader('a', 8 ** 11 - 1), same(64)])),
  },
  {
    name: 'tar.gz with a name of 90 MB',
    make: () =>
      packed(
        Buffer.concat([
          tarOf('././@LongLink', noise(90 * megabyte), undefined, 'L'),
          tarOf('a', Buffer.from(heyReport(1))),
        ]),
      ),
  },
  {
    name: 'tar.gz with attributes of 90 MB',
    make: () =>
      packed(
        Buffer.concat([
          tarOf(
            'pax',
            many(700_000, (index) => {
              const text = ` TAILBOARD.${index}=${'x'.repeat(100)}\n`
              return `${text.length + 3}${text}`
            }),
            undefined,
            'x',
          ),
          tarOf('a', Buffer.from(heyReport(1))),
        ]),
      ),
  },
  {
    name: 'JSON nested 50 million deep',
    make: () => packed(Buffer.concat([Buffer.from('{"events":'), Buffer.alloc(50 * megabyte, '[')])),
    isQuick: true,
  },
  {
    name: 'JSON nested a million deep, unpacked',
    make: () => Buffer.from(`{"latencies":${'{"a":'.repeat(1_000_000)}`),
  },
  {
    name: 'JSON nested in a row of results',
    make: () =>
      Buffer.concat([Buffer.from(vegetaJsonRow(1)), Buffer.from(`{"code":200,"headers":${'['.repeat(5_000_000)}`)]),
  },
  {
    name: 'JSON of one text of 90 MB',
    make: () => packed(Buffer.concat([Buffer.from('{"events":[{"message":"'), noise(90 * megabyte)])),
  },
  {
    name: 'JSON of a million keys',
    make: () => packed(many(1_000_000, (index) => `${index === 0 ? '{"latencies":{' : ','}"k${index}":1`)),
  },
  {
    name: 'JSON of a number of 20 million digits',
    make: () => Buffer.from(`{"latencies":{"total":${'9'.repeat(20_000_000)}}}`),
  },
  {
    name: 'a table of a million columns',
    make: () => Buffer.from(`|${' duration |'.repeat(1_000_000)}\n|${' - |'.repeat(1_000_000)}\n`),
  },
  {
    name: 'results of a million columns',
    make: () => Buffer.concat([Buffer.from(vegetaRow(1)), Buffer.from(`${'1,'.repeat(1_000_000)}\n`)]),
  },
  {
    name: 'gob with a length of two gigabytes',
    make: () => Buffer.concat([Buffer.from([0xfc, 0x7f, 0xff, 0xff, 0xff]), noise(4 * megabyte)]),
  },
  {
    name: 'gob of a million types',
    make: () => times(500_000, Buffer.from([0x0a, 0xff, 0x81, 0x03, 0x01, 0x01, 0x01, 0x61, 0x01, 0xff, 0x82])),
  },
  { name: 'deflate without a head', make: () => deflateRawSync(same(64)) },
  { name: 'lines of 64 kB of bars', make: () => many(150, () => `${'|'.repeat(65_000)}\n`) },
  { name: 'lines of 64 kB of escape codes', make: () => many(150, () => `${'\u001b['.repeat(32_000)}\n`) },
  {
    name: 'lines of 64 kB of quote marks, stars and brackets',
    make: () => many(150, (index) => `${'>*[_`('[index % 6]?.repeat(65_000)}\n`),
  },
]
