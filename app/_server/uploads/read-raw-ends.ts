import { cleanText } from '@/importers/text/lines'
import { isTextForm } from '@/lib/run/tools'
import { maskSecrets } from '@/lib/secrets'
import { carrierHeadBytes, findCarrier } from '@/importers/carriers/carrier-kind'
import { openUpload } from '@/importers/carriers/open-upload'
import { nodeUnpacker } from '../archive/node-unpacker'
import type { StoredBytes } from '../archive/open-zip'

/** A line of raw results. `number`: 1-based; null where the lines before it were not counted. */
export interface RawLine {
  readonly number: number | null
  readonly text: string
}

/** Both ends of a file of raw results. */
export interface RawEnds {
  readonly first: readonly RawLine[]
  /** Empty if the file is packed: its end is not read for a preview. */
  readonly last: readonly RawLine[]
  /** Whether lines are missing between, or after, those given. */
  readonly isTruncated: boolean
}

const endLines = 10
/** Bytes read from each end, however large the file is. */
const endBytes = 64 * 1024
/** A result includes the body of its response: a preview needs only its beginning. */
const lineCharacters = 400

/** Both ends of stored raw results, with secrets masked; null for a format that is not text, and for an archive. */
export async function readRawEnds(stored: StoredBytes, form: string): Promise<RawEnds | null> {
  if (!isTextForm(form)) return null
  const carrier = findCarrier(
    await collectBytes(stored.read(0, Math.min(carrierHeadBytes, stored.sizeBytes)), endBytes),
  )
  if (carrier === 'plain') return readPlainEnds(stored)
  if (carrier !== 'gzip') return null
  const opened = await openUpload(
    stored.read(0, stored.sizeBytes),
    nodeUnpacker(() => Promise.resolve(stored)),
  )
  if (opened.kind === 'archive') return null
  const head = await collectBytes(opened.bytes, endBytes + 1)
  const isWhole = head.length <= endBytes
  return endsOf(linesOf(head, isWhole), null, isWhole)
}

async function readPlainEnds(stored: StoredBytes): Promise<RawEnds> {
  const { sizeBytes } = stored
  if (sizeBytes <= 2 * endBytes)
    return endsOf(linesOf(await collectBytes(stored.read(0, sizeBytes), sizeBytes), true), null, true)
  const head = linesOf(await collectBytes(stored.read(0, endBytes), endBytes), false)
  const tail = linesOf(await collectBytes(stored.read(sizeBytes - endBytes, sizeBytes), endBytes), true)
  // Where the read began, a line was torn apart.
  return endsOf(head, tail.slice(1), false)
}

/** `tail` null: `head` is all there is, or all that is examined. */
function endsOf(head: readonly string[], tail: readonly string[] | null, isWhole: boolean): RawEnds {
  const numbered = head.map((text, index): RawLine => ({ number: index + 1, text }))
  if (tail !== null)
    return {
      first: numbered.slice(0, endLines).map(shorten),
      last: tail.slice(-endLines).map((text) => shorten({ number: null, text })),
      isTruncated: true,
    }
  if (!isWhole) return { first: numbered.slice(0, endLines).map(shorten), last: [], isTruncated: true }
  if (numbered.length <= 2 * endLines) return { first: numbered.map(shorten), last: [], isTruncated: false }
  return {
    first: numbered.slice(0, endLines).map(shorten),
    last: numbered.slice(-endLines).map(shorten),
    isTruncated: true,
  }
}

/** Lines of UTF-8. `toEnd`: the bytes end where the file does; otherwise the last line is torn apart and left out. */
function linesOf(bytes: Buffer, toEnd: boolean): string[] {
  const lines = bytes.toString('utf8').split(/\r?\n/)
  // Nothing follows the last line feed; before it, where the read ended, is half a line (or all of one long line).
  if (lines.at(-1) === '' || (!toEnd && lines.length > 1)) lines.pop()
  return lines
}

function shorten({ number, text }: RawLine): RawLine {
  const clean = maskSecrets(cleanText(text)).text
  return { number, text: clean.length > lineCharacters ? `${clean.slice(0, lineCharacters)} …` : clean }
}

/** The first `most` bytes. */
export async function collectBytes(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    sizeBytes += chunk.byteLength
    if (sizeBytes >= most) break
  }
  return Buffer.concat(chunks).subarray(0, most)
}
