import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { problemOf } from '@/importers/import-problem'
import { ImportError, InvalidInputError, TooLargeError } from '@/lib/errors'
import type { NamedMapping } from '@/lib/run/column-mapping'
import type { ImportedFile } from '@/lib/run/run'
import { findCarrier } from '@/importers/carriers/carrier-kind'
import { readInWorker } from './read-in-worker'
import { maskedProblem, maskFile, maskUpload } from './mask-upload'
import type { StoredBytes } from '../archive/open-zip'
import { pacedBody } from '../http/paced-body'
import { rawStore } from '../store/process-store'
import { readUploadText } from './read-upload-lines'
import { IncompleteBodyError } from '../http/respond'
import { settings } from '../settings'
import type { UploadTrack } from './upload-progress'

/** The sender's claims about the body; each is checked against what arrived. */
export interface BodyClaims {
  readonly contentLength: number | null
  /** Lower-case hex, of the bytes as sent. */
  readonly sha256: string | null
  /** The sender claims that the bytes are gzip. Their content decides how they are read; this is only checked. */
  readonly isGzip: boolean
}

/** A body that is durably stored and was read at the same time. `error`: nothing in it could be read. */
export interface ReceivedUpload {
  /** Of the bytes as sent. */
  readonly sentSha256: string
  /** Of the bytes as stored: with the secrets of a text masked. */
  readonly sha256: string
  readonly sizeBytes: number
  readonly file: ImportedFile
  /** What was counted of each run's rows; null: it has none. Empty if nobody asked. */
  readonly cubes: readonly (Uint8Array | null)[]
  readonly error: ImportError | null
}

interface ReceiveOptions {
  readonly name: string
  readonly signal: AbortSignal | null
  readonly keepSecrets: boolean
  /** Absent: an importer recognises the file. */
  readonly mapping?: NamedMapping | undefined
  /** The rows of each run are counted, too. */
  readonly counts: boolean
  readonly track: UploadTrack
}

/**
 * Streams a body from the socket into the raw store and the importers at once, in flat memory. Throws TooLargeError,
 * IncompleteBodyError and SlowBodyError; in these cases, and when the client goes away, nothing is stored.
 */
export async function receiveUpload(
  body: AsyncIterable<Uint8Array> | null,
  claims: BodyClaims,
  options: ReceiveOptions,
): Promise<ReceivedUpload> {
  const writer = await rawStore().create()
  try {
    const sent = createHash('sha256')
    const found: string[] = []
    const { track, signal } = options
    const stopWhenGone = () => {
      if (signal?.aborted === true || track.signal.aborted) throw endedBy(track)
    }
    const counted = inOrder(countBody(body ?? empty(), sent, claims, track))
    const masked = options.keepSecrets ? { bytes: counted, isAsSent: true } : await maskUpload(counted, found)
    // Hashing takes as long as reading: done once if both are the same.
    const storedHash = masked.isAsSent ? null : createHash('sha256')
    const source = inOrder(written(masked.bytes, storedHash, (chunk) => writer.write(chunk), stopWhenGone))
    const stored = async () => watched(await writer.stored(), track, stopWhenGone)
    const read = await readFile(source, stored, options)
    found.push(...read.masked)
    const { error } = read
    let { file } = read
    // An importer may stop early (foreign input); the rest is stored all the same.
    for await (const _chunk of source) continue
    track.storing()
    await writer.sync()
    // Meanwhile the sender may have gone away.
    stopWhenGone()
    const sentSha256 = sent.digest('hex')
    const sha256 = storedHash?.digest('hex') ?? sentSha256
    if (claims.sha256 !== null && claims.sha256 !== sentSha256) {
      throw new IncompleteBodyError(`The body's SHA-256 is ${sentSha256}, not ${claims.sha256} as announced.`)
    }
    const { sizeBytes } = await writer.keep(sha256)
    if (error !== null) file = { ...file, ...(await describeText(sha256)) }
    if (!options.keepSecrets) {
      if (error !== null) maskFile(file, found)
      file = { ...file, problems: [...file.problems, ...maskedProblem(found, sha256 !== sentSha256)] }
    }
    return { sha256, sizeBytes, sentSha256, file, cubes: read.cubes, error }
  } catch (failure) {
    await writer.discard()
    throw failure
  }
}

/**
 * What the importers read; if they read nothing, their error and a file without runs. `masked`: which secrets it had.
 */
async function readFile(
  source: AsyncIterable<Uint8Array>,
  stored: () => Promise<StoredBytes>,
  { keepSecrets, mapping, counts, track }: ReceiveOptions,
): Promise<Pick<ReceivedUpload, 'file' | 'cubes' | 'error'> & { readonly masked: readonly string[] }> {
  try {
    const how = { masks: !keepSecrets, mapping: mapping ?? null, counts, signal: track.signal }
    return { ...(await readInWorker(source, stored, how)), error: null }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const file = { encoding: null, lineCount: null, runs: [], problems: [problemOf(error)], cellNotes: [] }
    return { file, cubes: [], error, masked: [] }
  }
}

/**
 * The error of an upload that its sender cancelled, by name or by closing the connection, which leaves the answer
 * unread.
 */
export const endedBy = ({ signal }: UploadTrack): Error =>
  signal.aborted ? (signal.reason as Error) : new IncompleteBodyError('The sender closed the connection.')

/** The body as it arrives, counted, hashed and checked against what the sender claimed. */
async function* countBody(
  body: AsyncIterable<Uint8Array>,
  sent: Hash,
  claims: BodyClaims,
  track: UploadTrack,
): AsyncGenerator<Uint8Array> {
  const { maxUploadBytes: limit, uploadIdleMs: idleMs, uploadSlowMs } = settings()
  // A piped tool prints nothing until it ends, and how much it will print is unknown.
  const pace = { idleMs, slowMs: claims.contentLength === null ? null : uploadSlowMs, signal: track.signal }
  let sizeBytes = 0
  let isZip: boolean | null = null
  const begins: number[] = []
  for await (const chunk of pacedBody(body, pace)) {
    sizeBytes += chunk.byteLength
    if (claims.isGzip && begins.length < 2) {
      begins.push(...chunk.subarray(0, 2 - begins.length))
      if (begins.length === 2 && (begins[0] !== 0x1f || begins[1] !== 0x8b))
        throw new InvalidInputError('Content-Encoding says gzip, but the body is not gzip.', {
          field: 'content-encoding',
        })
    }
    if (sizeBytes > limit) throw new TooLargeError(`The upload is larger than ${limit} bytes.`, limit)
    sent.update(chunk)
    isZip ??= findCarrier(chunk) === 'zip'
    track.received(chunk.byteLength)
    yield chunk
    // Asked for more: the reader is done with this. A zip is only read once all of it is here.
    if (!isZip) track.read(chunk.byteLength)
  }
  if (claims.contentLength !== null && claims.contentLength !== sizeBytes) {
    throw new IncompleteBodyError(`${sizeBytes} bytes arrived of the ${claims.contentLength} that were announced.`)
  }
}

async function* written(
  bytes: AsyncIterable<Uint8Array>,
  hash: Hash | null,
  write: (chunk: Uint8Array) => Promise<void>,
  stopWhenGone: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    stopWhenGone()
    hash?.update(chunk)
    await write(chunk)
    yield chunk
  }
}

/** A stored file whose reading is reported as progress, and stops when the upload is cancelled. */
function watched(stored: StoredBytes, track: UploadTrack, stopWhenGone: () => void): StoredBytes {
  async function* readRange(start: number, end: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of stored.read(start, end) as AsyncIterable<Uint8Array>) {
      stopWhenGone()
      yield chunk
      track.read(chunk.byteLength)
    }
  }
  return {
    sizeBytes: stored.sizeBytes,
    read: (start, end) => Readable.from(readRange(start, end), { objectMode: false }),
  }
}

/**
 * Bytes that can be consumed in two passes: `for await` must not close them when the first consumer stops. A decoder
 * that gives up may leave a step in progress: the next one waits, so that bytes stay in order.
 */
function inOrder(bytes: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> {
  let last: Promise<unknown> = Promise.resolve()
  let failure: { readonly error: unknown } | null = null
  const next = () => {
    // A failed generator reports "done" from then on: a body that broke off must not pass for a whole one.
    const step = last.then(() => {
      if (failure) throw failure.error
      return bytes.next().catch((error: unknown) => {
        failure = { error }
        throw error
      })
    })
    last = step.catch(() => undefined) // reported to the caller of that step
    return step
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

async function* empty(): AsyncGenerator<Uint8Array> {
  // no body at all: zero chunks
}

/** Beyond this, the text of an unreadable upload is not counted: it is shown from its beginning anyway. */
const MOST_LINES = 100_000
const MOST_BYTES = 8 * 1024 ** 2

/** Encoding and lines of a text in which no run was found, so that it can be shown; both null if it is not text. */
async function describeText(sha256: string): Promise<Pick<ImportedFile, 'encoding' | 'lineCount'>> {
  let lineCount = 0
  try {
    const lines = await readUploadText(sha256, MOST_BYTES)
    if (lines === null) return { encoding: null, lineCount: null }
    for await (const line of lines) {
      lineCount = line.number
      if (lineCount >= MOST_LINES) break
    }
    return { encoding: lines.encoding, lineCount }
  } catch (failure) {
    if (failure instanceof ImportError) return { encoding: null, lineCount: null }
    throw failure
  }
}
