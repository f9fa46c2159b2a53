import { setImmediate } from 'node:timers/promises'
import { cleanText, readLines } from '@/importers/text/lines'
import { clipText } from '@/lib/text'
import type { Granted } from '@/prisma/queries/projects/projects'
import { getUpload } from '@/prisma/queries/uploads/uploads'
import { openUpload } from '@/importers/carriers/open-upload'
import { nodeUnpacker } from '../archive/node-unpacker'
import { rawStore } from '../store/process-store'
import { requireRaw } from './require-raw'

export interface UploadLine {
  /** 1-based. */
  readonly number: number
  /** As decoded, without carriage return and terminal escape codes. */
  readonly text: string
}

const LINE_LIMIT = 5_000
/** Raw output on one page, of all its runs together: a tool prints a tenth of this. */
const pageMost = { lines: 300, characters: 30_000 }

/** Raw output of each of this many runs on one page. */
export const mostOfPage = (runCount: number): typeof pageMost => ({
  lines: Math.max(1, Math.floor(pageMost.lines / runCount)),
  characters: Math.floor(pageMost.characters / runCount),
})

/** As many of these lines as a page with those of `runCount` runs shows; if the last is shortened, it ends in `…`. */
export function linesOfPage(lines: readonly UploadLine[], runCount = 1): readonly UploadLine[] {
  const most = mostOfPage(runCount)
  let left = most.characters
  const shown: UploadLine[] = []
  for (const { number, text } of lines.slice(0, most.lines)) {
    if (left <= 0) break
    shown.push({ number, text: clipText(text, left) })
    left -= text.length
  }
  return shown
}

/** Lines `first`…`last` (1-based, inclusive, at most 5,000) of a stored upload. Throws NotFoundError. */
export async function readUploadLines(
  project: Granted<'read'>,
  uploadId: string,
  first: number,
  last: number,
): Promise<readonly UploadLine[]> {
  const upload = await getUpload(project, uploadId)
  await requireRaw(upload)
  return readLineRanges(upload.storedSha256, [[first, last]])
}

/**
 * The unpacked lines of a stored upload, of at most `mostBytes`; null for an archive, whose files each have their own
 * lines. Throws ImportError.
 */
export async function readUploadText(
  storedSha256: string,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<ReturnType<typeof readLines> | null> {
  const store = rawStore()
  const opened = await openUpload(
    store.read(storedSha256),
    nodeUnpacker(() => store.stored(storedSha256)),
  )
  return opened.kind === 'file' ? readLines(firstBytes(opened.bytes, mostBytes)) : null
}

const pieceBytes = 8 * 1024
const longestTurnMs = 10

/** In pieces, and turns of the event loop: 64 kB can be as many lines, which would hold up every request. */
async function* firstBytes(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let sum = 0
  let beganAt = performance.now()
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.byteLength; at += pieceBytes) {
      if (performance.now() - beganAt > longestTurnMs) {
        await setImmediate()
        beganAt = performance.now()
      }
      yield chunk.subarray(at, at + pieceBytes)
    }
    sum += chunk.byteLength
    if (sum >= most) return
  }
}

/** The lines of a stored text within `ranges` (1-based, inclusive, rising, apart), at most 5,000, in one pass. */
export async function readLineRanges(
  storedSha256: string,
  ranges: readonly (readonly [first: number, last: number])[],
): Promise<readonly UploadLine[]> {
  const lines: UploadLine[] = []
  let at = 0
  if (ranges.length === 0) return lines
  for await (const line of (await readUploadText(storedSha256)) ?? []) {
    while (line.number > (ranges[at]?.[1] ?? Infinity)) at += 1
    const range = ranges[at]
    if (range === undefined || lines.length >= LINE_LIMIT) break
    if (line.number >= range[0]) lines.push({ number: line.number, text: cleanText(line.raw) })
  }
  return lines
}
