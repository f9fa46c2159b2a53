import { toFastBytes, viewOf } from '../text/fast-bytes'
import { layOut, roles, type ResultLayout } from './gob-roles'
import { GobError, GobReader, readStruct } from './gob-types'
import { padding, RowCarry } from '../text/row-carry'
import { batchRows, SampleBatch } from '../rows/sample-batch'
import { Samples } from '../samples/samples'
import type { Wanted } from '../rows/wanted'
import { HeaderAttributes } from '../headers/header-attributes'
import { HeaderFigures } from '../headers/header-figures'
import { GobResults } from './vegeta-gob-results'

/** Torn messages up to this size are buffered completely; of longer ones the body is left out. */
const maxCarriedBytes = 256 * 1024
const headBytes = 64 * 1024
/** Limit for the rest: Go's clients accept response headers of 10 MB. */
const maxWithoutBodyBytes = 16 * 1024 * 1024
const maxMessageBytes = 64 * 1024 * 1024 + maxCarriedBytes

/** Complete results of one stream. */
export interface GobStream {
  readonly samples: Samples
  readonly headers: HeaderFigures
  readonly layout: ResultLayout
}

/** Why and where (byte offset) reading had to stop. */
export interface GobFault {
  readonly code: 'malformed' | 'too-large'
  readonly message: string
  readonly offset: number
}

/**
 * Reads gob streams of vegeta's Result, message by message, in chunks of any size. The length before each message
 * locates its end; bodies are never buffered.
 */
export class VegetaGobRows {
  fault: GobFault | null = null
  private samples: Samples
  private headers: HeaderFigures
  private layout: ResultLayout | null = null
  private results: GobResults | null = null
  private readonly batch = new SampleBatch()
  private readonly carry = new RowCarry()
  /** Remaining bytes of the torn message's body, which are dropped. */
  private skipping = 0
  /** Size of the torn message without its body; 0: not shortened. */
  private shortened = 0
  private originalBytes = 0
  /** Offset of the carry if there is one, else of the next bytes. */
  private offset = 0

  /** A stream that was followed by another; its results are to be taken before reading continues. */
  private finished: GobStream | null = null

  constructor(private readonly wanted: Wanted = {}) {
    this.samples = new Samples(wanted)
    this.headers = this.openHeaders()
  }

  private openHeaders(): HeaderFigures {
    return new HeaderFigures(HeaderAttributes.of(this.samples, this.batch))
  }

  /** Reads a chunk from `from` on; returns where to continue: its end, or after the end of a stream. */
  push(chunk: Uint8Array, from: number): number {
    if (this.fault !== null) return chunk.length
    try {
      const bytes = toFastBytes(chunk)
      const at = this.fillCarry(bytes, from)
      if (this.carry.size > 0 || this.finished !== null) return at
      const origin = this.offset - at
      const read = this.parse(bytes, viewOf(bytes), at, origin)
      this.offset = origin + read
      if (this.finished !== null) return read
      this.carry.append(bytes, read, bytes.length)
    } catch (error) {
      this.stop(error)
    }
    return chunk.length
  }

  takeFinished(): GobStream | null {
    const { finished } = this
    this.finished = null
    return finished
  }

  /**
   * The remainder: streams finished by the last bytes, the last stream read (null: none), and where the bytes end
   * within a message (else null).
   */
  finish(): {
    readonly finished: readonly GobStream[]
    readonly stream: GobStream | null
    readonly truncatedAt: number | null
  } {
    const finished: GobStream[] = []
    try {
      if (this.fault === null)
        do {
          this.fillCarry(noBytes, 0)
          const stream = this.takeFinished()
          if (stream === null) break
          finished.push(stream)
        } while (this.carry.size > 0)
    } catch (error) {
      this.stop(error)
    }
    return {
      finished,
      stream: this.close(),
      truncatedAt: this.fault === null && this.carry.size > 0 ? this.offset : null,
    }
  }

  private stop(error: unknown): void {
    if (!(error instanceof GobError)) throw error
    const code = error instanceof TooLargeMessage ? 'too-large' : 'malformed'
    this.fault = { code, message: error.message, offset: this.offset }
    this.carry.size = 0
  }

  private close(): GobStream | null {
    this.samples.add(this.batch)
    const { samples, headers, layout } = this
    return layout === null ? null : { samples, headers, layout }
  }

  /** Completes the torn messages; returns where the chunk continues. */
  private fillCarry(bytes: Uint8Array, from: number): number {
    const { carry } = this
    let at = from
    while (carry.size > 0) {
      const skipped = Math.min(this.skipping, bytes.length - at)
      this.skipping -= skipped
      at += skipped
      if (this.skipping > 0) return at
      const { wanted, total } = this.measure()
      const to = Math.min(bytes.length, at + Math.max(0, wanted - carry.size))
      carry.append(bytes, at, to)
      at = to
      if (carry.size < wanted) return at
      if (wanted < total) {
        // Only its beginning was needed, to find its length or its body.
        if (total > maxCarriedBytes) this.shorten(total)
        continue
      }
      const origin = this.offset
      const read = this.parse(carry.bytes, carry.view, 0, origin)
      carry.drop(read)
      this.offset = origin + (this.shortened > 0 ? this.originalBytes : read)
      this.shortened = 0
      if (this.finished !== null) return at
    }
    return at
  }

  /** Size of the torn message, and how many of its bytes the carry needs next. */
  private measure(): { wanted: number; total: number } {
    const { carry } = this
    if (this.shortened > 0) return { wanted: this.shortened, total: this.shortened }
    const width = widthOf(carry.bytes[0] ?? 0)
    if (width > 9) throw new GobError('a length of more than eight bytes', 0)
    if (carry.size < width) return { wanted: width, total: width + 1 }
    const length = new GobReader(carry.bytes, 0, carry.size).unsigned()
    if (length > maxMessageBytes) throw new TooLargeMessage(`a message of ${length} bytes`, 0)
    const total = width + length
    return { wanted: total > maxCarriedBytes ? headBytes : total, total }
  }

  /** Removes the body, if any, from a long message whose beginning is in the carry. */
  private shorten(total: number): void {
    const { carry, layout } = this
    const tooLarge = new TooLargeMessage(`a message of ${total} bytes that are not a body`, 0)
    if (layout === null) throw tooLarge
    this.originalBytes = total
    const body = findBody(carry.bytes, carry.size, layout)
    if (body === null) {
      this.shortened = total
      if (total > maxWithoutBodyBytes) throw tooLarge
      return
    }
    const { lengthAt, to } = body
    const width = widthOf(carry.bytes[0] ?? 0)
    const rest = Math.max(0, carry.size - to)
    carry.bytes.copyWithin(lengthAt + 1, to, carry.size)
    carry.bytes[lengthAt] = 0
    this.skipping = Math.max(0, to - carry.size)
    carry.size = lengthAt + 1 + rest
    this.shortened = lengthAt + 1 + total - to
    if (this.shortened > maxWithoutBodyBytes || this.shortened <= lengthAt) throw tooLarge
    let length = this.shortened - width
    for (let at = width - 1; at > 0; at--) {
      carry.bytes[at] = length % 256
      length = Math.floor(length / 256)
    }
  }

  /** Reads complete messages; returns where the first torn one begins. `origin`: offset of `bytes[0]` in the file. */
  private parse(bytes: Uint8Array, view: DataView, from: number, origin: number): number {
    const end = bytes === this.carry.bytes ? this.carry.size : bytes.length
    let at = from
    for (;;) {
      const width = widthOf(bytes[at] ?? 0)
      if (at + width > end) return at
      let length = bytes[at] ?? 0
      if (width > 1) {
        if (width > 9) this.fail(origin + at, 'a length of more than eight bytes')
        length = 0
        for (let place = at + 1; place < at + width; place++) length = length * 256 + (bytes[place] ?? 0)
      }
      const start = at + width
      const stop = start + length
      if (stop > end || stop + padding > bytes.length) return at
      if (this.batch.size === batchRows) this.samples.add(this.batch)
      if (length < 2 || this.results === null || !this.results.read(bytes, view, start, stop)) {
        this.offset = origin + at
        this.takeDefinition(bytes, start, stop)
        if (this.finished !== null) return stop
      }
      at = stop
    }
  }

  private fail(offset: number, message: string): never {
    this.offset = offset
    throw new GobError(message, 0)
  }

  /** Reads a type definition; that of Result begins a stream. */
  private takeDefinition(bytes: Uint8Array, start: number, stop: number): void {
    const reader = new GobReader(bytes, start, stop)
    if (reader.signed() >= 0) throw new GobError('a message that is not a vegeta result', 0)
    const struct = readStruct(reader)
    if (struct === null || struct.name !== 'Result') return
    const last = this.close()
    this.layout = layOut(struct, 0)
    // A stream without results is discarded.
    if (this.samples.count > 0) {
      this.finished = last
      this.samples = new Samples(this.wanted)
      this.headers = this.openHeaders()
    }
    this.results = new GobResults(this.samples, this.batch, this.layout, this.headers)
  }
}

/** A message longer than vegeta's can be. */
class TooLargeMessage extends GobError {}

const noBytes = new Uint8Array(0)

/** Bytes of a number, by its first. */
function widthOf(first: number): number {
  return first < 128 ? 1 : 257 - first
}

/** Position of the body's length in the message at 0, and of the body's end. Null: no body within `size` bytes. */
function findBody(bytes: Uint8Array, size: number, layout: ResultLayout): { lengthAt: number; to: number } | null {
  const reader = new GobReader(bytes, 0, size)
  reader.unsigned()
  if (reader.signed() !== layout.id) return null
  for (let field = reader.unsigned() - 1; field >= 0;) {
    const role = layout.roles[field]
    if (role === undefined || role >= roles.headers) return null
    const lengthAt = reader.at
    if (role === roles.skipBytes) return { lengthAt, to: lengthAt + sizeAt(reader) }
    if (isText(role)) reader.take()
    else reader.unsigned()
    const delta = reader.unsigned()
    if (delta === 0) return null
    field += delta
  }
  return null
}

/** Size of a length together with what it counts, in bytes. */
function sizeAt(reader: GobReader): number {
  const from = reader.at
  const length = reader.unsigned()
  return reader.at - from + length
}

function isText(role: number): boolean {
  return role >= roles.timestamp && role < roles.headers
}
