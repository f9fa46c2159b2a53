import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { ImportError } from '@/lib/errors'
import type { NamedMapping } from '@/lib/run/column-mapping'
import type { ImportedFile, ImportedRun } from '@/lib/run/run'
import { meters } from '../observe/meters'
import type { StoredBytes } from '../archive/open-zip'
import type { AskedBox, FeedId, FromWorker, ReadBox, ToWorker } from './worker-messages'
import { giveBack, takeWorker } from './worker-pool'

/** How long a thread may work on an upload: this much at any size, and more per megabyte as sent. */
const baseMs = 10_000
const perMegabyteMs = 1_000
const tickMs = 250

/** The result of reading an upload. */
interface ReadUpload {
  readonly file: ImportedFile
  /** What was counted of each run's rows, encoded; null: it has none. Empty if nobody asked. */
  readonly cubes: readonly (Uint8Array | null)[]
  /** What was masked in it, in the order found. */
  readonly masked: readonly string[]
  /** What is in a box; null: nobody asked, or the run has no rows. */
  readonly box: ReadBox | null
}

/**
 * Reads an upload in a thread of its own, like `readUpload`: there it may take memory and time, and is ended when it
 * takes too much. Throws ImportError, and any error of the bytes.
 */
export async function readInWorker(
  bytes: AsyncIterable<Uint8Array>,
  stored: () => Promise<StoredBytes>,
  options: {
    readonly masks: boolean
    readonly mapping: NamedMapping | null
    /** The rows of each run are counted into a cube, too. Absent: not. */
    readonly counts?: boolean
    /** Only what is in a box of one run is read: no runs. Absent: all of them are. */
    readonly box?: AskedBox
    /** When aborted, ends the reading with its reason. Absent: it cannot be cancelled. */
    readonly signal?: AbortSignal
  },
): Promise<ReadUpload> {
  const job = new Job(takeWorker(), bytes, stored)
  const finished = meters()?.beginImport()
  try {
    return await job.run(options)
  } finally {
    job.end()
    finished?.()
  }
}

/** Reads in progress (they share the machine), and all reads so far. */
let jobs = 0
let uploads = 0

/** One upload and the thread that reads it. */
class Job {
  private readonly feeds = new Map<FeedId, FeedSource>()
  private readonly upload: FeedId = `upload ${(uploads += 1)}`
  private readonly runs: ImportedRun[] = []
  private readonly cubes: (Uint8Array | null)[] = []
  private sentBytes = 0
  /** Of the thread, when it is done; null: it is not done, and cannot be reused. */
  private heapBytes: number | null = null
  /** Why the bytes broke off: takes precedence over the thread's own error. */
  private broken: { readonly error: unknown } | null = null
  private clock: NodeJS.Timeout | undefined

  constructor(
    private readonly worker: Worker,
    bytes: AsyncIterable<Uint8Array>,
    private readonly stored: () => Promise<StoredBytes>,
  ) {
    jobs += 1
    this.feeds.set(this.upload, new FeedSource(() => Promise.resolve(this.counted(bytes))))
  }

  run({ masks, mapping, counts = false, box, signal }: Parameters<typeof readInWorker>[2]): Promise<ReadUpload> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(this.broken === null ? error : this.broken.error)
      this.worker.on('error', (error) => fail(isOutOfMemory(error) ? tooMuchMemory() : error))
      this.worker.on('exit', () => fail(new Error('The thread that reads an upload ended.')))
      this.worker.on('message', (message: FromWorker) => {
        if (message.kind === 'done') {
          this.heapBytes = message.heapBytes
          const { masked, box: found } = message
          resolve({ file: { ...message.file, runs: this.runs }, cubes: this.cubes, masked, box: found })
        } else if (message.kind === 'refused') {
          this.heapBytes = message.heapBytes
          fail(new ImportError(message.error.code, message.error.message, message.error))
        } else if (message.kind === 'failed') fail(Object.assign(new Error(message.message), { stack: message.stack }))
        else this.respond(message).catch(fail)
      })
      if (signal?.aborted === true) fail(signal.reason)
      signal?.addEventListener('abort', () => fail(signal.reason), { once: true })
      this.clock = watchTime(this.worker, () => this.sentBytes, fail)
      this.say({ kind: 'read', feed: this.upload, masks, mapping, counts, box: box ?? null })
    })
  }

  /** The thread is free again, or has ended. The rest of the upload is the caller's. */
  end(): void {
    jobs -= 1
    clearInterval(this.clock)
    for (const name of ['error', 'exit', 'message']) this.worker.removeAllListeners(name)
    for (const feed of this.feeds.values()) feed.close()
    if (this.heapBytes === null) void this.worker.terminate()
    else giveBack(this.worker, this.heapBytes)
  }

  private say(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer)
  }

  private async respond(message: Exclude<FromWorker, { kind: 'done' | 'refused' | 'failed' }>): Promise<void> {
    if (message.kind === 'runs') {
      for (const run of message.runs) this.runs.push(run)
      this.cubes.push(...message.cubes)
      // Other requests come first: a file of thousands of runs is many messages.
      setImmediate(() => this.say({ kind: 'taken' }))
    } else if (message.kind === 'store') this.say({ kind: 'stored', sizeBytes: (await this.stored()).sizeBytes })
    else if (message.kind === 'want') await this.feed(message.feed)
    else if (message.kind === 'close') this.feeds.get(message.feed)?.close()
    else {
      const { feed, start, end } = message
      this.feeds.set(feed, new FeedSource(async () => (await this.stored()).read(start, end)))
    }
  }

  /** One chunk more. */
  private async feed(id: FeedId): Promise<void> {
    const source = this.feeds.get(id)
    if (source === undefined) return
    try {
      const chunk = await source.next()
      if (source.isClosed) return
      if (chunk === null) return this.say({ kind: 'end', feed: id })
      // The chunk is hashed and written here: the thread gets a copy.
      const copy = new Uint8Array(chunk)
      this.say({ kind: 'chunk', feed: id, bytes: copy }, [copy.buffer])
    } catch (error) {
      this.broken ??= { error }
      this.say({ kind: 'broken', feed: id })
    }
  }

  private async *counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.sentBytes += chunk.byteLength
      yield chunk
    }
  }
}

/** Hands bytes over in order, however many chunks are requested at once. */
class FeedSource {
  isClosed = false
  private readonly chunks: Promise<AsyncIterator<Uint8Array>>
  private last: Promise<unknown>

  constructor(open: () => Promise<AsyncIterable<Uint8Array>>) {
    this.chunks = open().then((bytes) => bytes[Symbol.asyncIterator]())
    this.last = this.chunks.catch(() => undefined) // reported by `next`
  }

  /** Null: there are no more. */
  next(): Promise<Uint8Array | null> {
    const step = this.last.then(async () => {
      if (this.isClosed) return null
      const { done, value } = await (await this.chunks).next()
      return done === true ? null : value
    })
    this.last = step.catch(() => undefined) // reported to the caller of that step
    return step
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    void this.chunks.then((chunks) => chunks.return?.()).catch(() => undefined) // the rest stays unread
  }
}

/**
 * Ends an import whose thread worked for too long. With many at work, each gets more time: they share the processors.
 */
function watchTime(worker: Worker, sentBytes: () => number, fail: (error: ImportError) => void): NodeJS.Timeout {
  let spentMs = 0
  let before = worker.performance.eventLoopUtilization()
  return setInterval(() => {
    const now = worker.performance.eventLoopUtilization()
    const share = Math.min(1, availableParallelism() / Math.max(1, jobs))
    spentMs += (now.active - before.active) * share
    before = now
    if (spentMs > baseMs + (perMegabyteMs * sentBytes()) / 1024 ** 2) fail(tooMuchTime(spentMs))
  }, tickMs)
}

const hint = 'Upload the reports in it one by one, or without the text around them.'

function tooMuchTime(ms: number): ImportError {
  return new ImportError('too-large', `reading it took ${Math.round(ms / 1_000)} s, too long for a file of its size`, {
    hint,
  })
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const tooMuchMemory = (): ImportError =>
  new ImportError('too-large', 'reading it takes more memory than one upload may use', { hint })
