import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FromDatabase, ToDatabase } from './database-messages'

/**
 * 13 MB of values are in use, and more when tsx reads the source: at 32 MB, the recorder of power cuts ended with it.
 * The stack is as large as that of a process' first thread; beyond that, a statement ends PostgreSQL.
 */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8, stackSizeMb: 1.25 }

interface PendingCall {
  resolve(answer: Uint8Array): void
  reject(error: Error): void
}

/** The source of the thread, which tsx reads when there is no build (tests, scripts). */
const source = 'prisma/database-worker.ts'

/**
 * One start of PostgreSQL in a thread of its own, so that its work does not block the server's. It is usable until it
 * breaks; then its thread is ended with everything it has open.
 */
export class DatabaseThread {
  readonly #worker: Worker
  /** Requests that wait for an answer, in the order they were sent. */
  readonly #pending: PendingCall[] = []
  #failure: Error | null = null

  private constructor(file: string) {
    this.#worker = startWorker(file)
    // It keeps the process alive only while a request waits for it.
    this.#worker.unref()
    this.#worker.on('message', (message: FromDatabase) => this.#take(message))
    this.#worker.on('error', (error) => this.#fail(new Error(`The embedded database ended: ${String(error)}`)))
    this.#worker.on('exit', () => this.#fail(new Error('The embedded database ended.')))
  }

  /** Makes a database in an empty folder. Its files are not synced yet. */
  static async make(folder: string, file: string | undefined): Promise<void> {
    const thread = new DatabaseThread(file ?? source)
    try {
      await thread.#ask({ kind: 'make', folder })
    } finally {
      await thread.end()
    }
  }

  /**
   * Throws PGlite's error when the folder cannot be opened; its code is ENOSPC when that takes room and there is none.
   */
  static async open(folder: string, file: string | undefined): Promise<DatabaseThread> {
    const thread = new DatabaseThread(file ?? source)
    try {
      await thread.#ask({ kind: 'start', folder })
      return thread
    } catch (error) {
      await thread.end()
      throw error
    }
  }

  /** PostgreSQL's answer to whole messages of its protocol. Throws when it broke over them. */
  exchange(messages: Uint8Array): Promise<Uint8Array> {
    // A copy of its own to hand over: what `pg` gives may be a part of a shared buffer.
    return this.#ask({ kind: 'exchange', messages: new Uint8Array(messages) })
  }

  /** Checkpoints and ends it. */
  async close(): Promise<void> {
    await this.#ask({ kind: 'close' })
    await this.end()
  }

  /** Ends the thread without asking it to: once broken, it could still write. */
  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #ask(message: ToDatabase): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure)
      if (this.#pending.push({ resolve, reject }) === 1) this.#worker.ref()
      this.#worker.postMessage(message, message.kind === 'exchange' ? [message.messages.buffer as ArrayBuffer] : [])
    })
  }

  #take(message: FromDatabase): void {
    const call = this.#pending.shift()
    if (this.#pending.length === 0) this.#worker.unref()
    if (message.kind === 'done') return call?.resolve(message.answer ?? new Uint8Array())
    call?.reject(message.hasNoRoom ? noRoomError(message.message) : new Error(message.message))
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#pending.splice(0)) reject(this.#failure)
  }
}

const noRoomError = (message: string): Error => Object.assign(new Error(message), { code: 'ENOSPC' })

function startWorker(file: string): Worker {
  if (!file.endsWith('.ts')) return new Worker(/*turbopackIgnore: true*/ file, { resourceLimits, execArgv: [] })
  return new Worker(`require('tsx/cjs'); require(require('node:worker_threads').workerData)`, {
    ...{ eval: true, resourceLimits },
    workerData: path.resolve(/*turbopackIgnore: true*/ file),
  })
}
