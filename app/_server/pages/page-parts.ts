import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'
import { crc32 } from '../archive/crc32'

const deflate = promisify(deflateRaw)

/** What differs between two people who see the same page. */
export interface PageHoles {
  /** Of the policy for scripts: another one for each response. */
  readonly nonce: string
  /** Of the account. */
  readonly name: string
}

/** Where a name stands, as each place writes it: HTML, data of React in a script, or the same data alone. */
const written = {
  html: (name: string) => name.replace(/[&<>"']/g, (found) => htmlEscapes[found] ?? found),
  script: (name: string) =>
    inString(written.data(name)).replace(/[&<>\u2028\u2029]/g, (found) => `\\u${hex4(found.charCodeAt(0))}`),
  data: (name: string) => inString(name.startsWith('$') ? `$${name}` : name),
} as const

/** The text of a JSON string, without its quotes. */
const inString = (text: string): string => JSON.stringify(text).slice(1, -1)
const hex4 = (code: number): string => code.toString(16).padStart(4, '0')
const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

type Hole = 'nonce' | keyof typeof written
interface Part {
  readonly bytes: Buffer
  /** In gzip's format, to be joined with others. */
  readonly packed: Buffer
  /** What comes after it; null: nothing, it is the last. */
  readonly hole: Hole | null
}

/** Below this size, compressing a part saves nothing. */
const packedFromBytes = 100

/**
 * A page without what is of one person or one response, ready to be sent to another with theirs. It is compressed once:
 * its parts between the holes do not refer to each other.
 */
export class PageParts {
  private constructor(
    private readonly parts: readonly Part[],
    /** Of all but the holes. */
    private readonly digest: string,
  ) {}

  /** `given`: what the text holds in its holes. `isHtml`: else it is data of React. */
  static async of(text: string, given: PageHoles, isHtml: boolean): Promise<PageParts> {
    const pieces = cut(text, given, isHtml)
    const digest = createHash('sha256')
    for (const { text: own, hole } of pieces) digest.update(`${own}\0${hole}\0`)
    return new PageParts(await Promise.all(pieces.map(pack)), digest.digest('base64url'))
  }

  /** Bytes in memory. */
  get size(): number {
    return this.parts.reduce((sum, { bytes, packed }) => sum + bytes.length + packed.length, 0)
  }

  /** Two pages with this tag differ in their nonce alone. */
  tag(name: string): string {
    return `"${createHash('sha256').update(`${this.digest} ${name}`).digest('base64url')}"`
  }

  /** The page as it is. */
  plain(holes: PageHoles): Buffer {
    return Buffer.concat(this.filled(holes).flatMap(({ bytes, fill }) => [bytes, fill]))
  }

  /** The same in gzip. */
  gzip(holes: PageHoles): Buffer {
    let crc = 0
    let length = 0
    const chunks = this.filled(holes).flatMap(({ bytes, packed, fill }) => {
      crc = crc32(fill, crc32(bytes, crc))
      length += bytes.length + fill.length
      return [packed, stored(fill)]
    })
    const foot = Buffer.alloc(8)
    foot.writeUInt32LE(crc, 0)
    foot.writeUInt32LE(length % 2 ** 32, 4)
    return Buffer.concat([gzipHead, ...chunks, emptyLastBlock, foot])
  }

  private filled(holes: PageHoles): { bytes: Buffer; packed: Buffer; fill: Buffer }[] {
    const fills = new Map<Hole | null, Buffer>([
      [null, Buffer.alloc(0)],
      ['nonce', Buffer.from(holes.nonce)],
      ...Object.entries(written).map(([hole, write]) => [hole as Hole, Buffer.from(write(holes.name))] as const),
    ])
    return this.parts.map(({ bytes, packed, hole }) => ({ bytes, packed, fill: fills.get(hole) ?? Buffer.alloc(0) }))
  }
}

interface Piece {
  readonly text: string
  readonly hole: Hole | null
}

function cut(text: string, { nonce, name }: PageHoles, isHtml: boolean): readonly Piece[] {
  const pieces: Piece[] = []
  let begin = 0
  for (const { index, 0: found } of text.matchAll(new RegExp(`${asItIs(nonce)}|${asItIs(name)}`, 'g'))) {
    const inScript = isHtml && text.lastIndexOf('<script', index) > text.lastIndexOf('</script', index)
    const hole = found === nonce ? 'nonce' : !isHtml ? 'data' : inScript ? 'script' : 'html'
    pieces.push({ text: text.slice(begin, index), hole })
    begin = index + found.length
  }
  return [...pieces, { text: text.slice(begin), hole: null }]
}

const asItIs = (text: string): string => text.replace(/[^\w]/g, '\\$&')

async function pack({ text, hole }: Piece): Promise<Part> {
  const bytes = Buffer.from(text)
  const packed =
    bytes.length < packedFromBytes ? stored(bytes) : await deflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  // zlib's result is the beginning of a buffer of 16 kB, which would be kept with it.
  return { bytes, packed: Buffer.from(packed), hole }
}

/** RFC 1952: deflate, no flags, no time, Unix. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
/** RFC 1951: the last block, with fixed codes and nothing in it. */
const emptyLastBlock = Buffer.from([3, 0])

/** RFC 1951: blocks of at most 65,535 bytes as they are. */
function stored(bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(0xffff ^ bytes.length, 3)
  return Buffer.concat([head, bytes])
}
