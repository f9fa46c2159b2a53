/** The thread that the embedded PostgreSQL runs in: handles the server's requests one at a time. */
import { PGlite } from '@electric-sql/pglite'
import { parentPort } from 'node:worker_threads'
import type { FromDatabase, ToDatabase } from './database-messages'
import { SyncedFiles } from './synced-files'

if (parentPort === null) throw new Error('This file is the thread that the embedded database runs in.')
const port = parentPort

/**
 * PGlite's own settings without `-F`, which turns syncing off. `fdatasync` and the like are stubs of its C library, its
 * `fsync` is not. Repeated reads come from the system's file cache, too, which can be reclaimed.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'wal_sync_method=fsync', '-c', 'shared_buffers=64MB'],
]

/** Bytes written between two checkpoints: with more, a checkpoint takes longer than another request should wait. */
const checkpointBytes = 32 * 1024 * 1024
const checkpoint = simpleQuery('CHECKPOINT')

function simpleQuery(sql: string): Uint8Array {
  const message = Buffer.from(`Q\0\0\0\0${sql}\0`)
  message.writeInt32BE(message.length - 1, 1)
  return message
}

/** The failure that ended PostgreSQL, or kept it from starting. */
class BrokenError extends Error {
  constructor(
    message: string,
    readonly hasNoRoom: boolean,
  ) {
    super(message)
  }
}

const noRoom = 'the disk is full or may not be written'

/** One start of PostgreSQL: usable until it breaks. */
class Instance {
  #failure: BrokenError | null = null
  /** Bytes that had been written by then. */
  #checkpointedAt = 0

  private constructor(
    private readonly db: PGlite,
    private readonly files: SyncedFiles,
  ) {
    this.#watch()
  }

  /** Throws BrokenError when the folder cannot be opened. */
  static async open(folder: string): Promise<Instance> {
    const files = new SyncedFiles(folder)
    /** PGlite reports only that it did not start; PostgreSQL, why. */
    let reason: string | null = null
    const onStderr = (line: string) => {
      reason = /\b(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? reason
      return false
    }
    const db = await PGlite.create({ fs: files, startParams, onStderr }).catch((error: unknown) => {
      if (files.hasNoRoom()) throw new BrokenError(noRoom, true)
      throw reason === null ? error : new BrokenError(reason, false)
    })
    return new Instance(db, files)
  }

  /** PostgreSQL's answer to whole messages of its protocol. Throws BrokenError when it broke, now or before. */
  async exchange(messages: Uint8Array): Promise<Uint8Array> {
    if (this.#failure !== null) throw this.#failure
    // `execProtocolRaw` parses each answer, and never frees what it parsed.
    const parts: Uint8Array[] = []
    // Its buffer is reused.
    await this.db.execProtocolRawStream(messages, { onRawData: (part) => void parts.push(part.slice()) })
    if (this.#failure !== null) throw this.#failure
    return joined(parts)
  }

  /**
   * Does what a server's checkpointer does beside its sessions, between two statements of this one, in a transaction or
   * not. A checkpoint that fails is tried again after as many bytes; one that breaks PostgreSQL is reported by the next
   * statement.
   */
  async checkpointWhenDue(): Promise<void> {
    if (this.#failure !== null || this.files.writtenBytes() - this.#checkpointedAt < checkpointBytes) return
    await this.exchange(checkpoint).catch(() => undefined)
    this.#checkpointedAt = this.files.writtenBytes()
  }

  close(): Promise<void> {
    return this.db.close()
  }

  /**
   * PGlite's loop knows one exception, PostgreSQL's own way out of a statement, and retries after any other one,
   * forever. An end of the process or of the stack has to leave the loop: through the call that only the known
   * exception leads to.
   */
  #watch(): void {
    const { db } = this
    const module = db.Module
    const known = (db as unknown as { readonly POSTGRES_MAIN_LONGJMP: number }).POSTGRES_MAIN_LONGJMP
    const { _PostgresMainLoopOnce: once, _PostgresMainLongJmp: jump } = module
    module._PostgresMainLoopOnce = () => {
      try {
        once()
      } catch (error) {
        if (isExit(error) && error.status === known) throw error
        const hasNoRoom = this.files.hasNoRoom()
        this.#failure = new BrokenError(`The embedded database ended: ${hasNoRoom ? noRoom : String(error)}`, hasNoRoom)
        throw { status: known }
      }
    }
    module._PostgresMainLongJmp = () => {
      if (this.#failure !== null) throw this.#failure
      jump()
    }
    for (const name of ['_PostgresSendReadyForQueryIfNecessary', '_pgl_pq_flush'] as const) {
      const flush = module[name]
      module[name] = () => {
        if (this.#failure === null) flush()
      }
    }
  }
}

/** In memory of its own, which can be transferred. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

const isExit = (error: unknown): error is { readonly status: unknown } =>
  typeof error === 'object' && error !== null && 'status' in error

let instance: Instance | null = null

async function answer(asked: ToDatabase): Promise<Uint8Array | null> {
  switch (asked.kind) {
    case 'make':
      await (await PGlite.create(asked.folder)).close()
      return null
    case 'start':
      instance = await Instance.open(asked.folder)
      return null
    case 'exchange':
      if (instance === null) throw new Error('The embedded database is not open.')
      return instance.exchange(asked.messages)
    case 'close':
      await instance?.close()
      instance = null
      return null
  }
}

function say(message: FromDatabase): void {
  const bytes = message.kind === 'done' ? message.answer : null
  port.postMessage(message, bytes === null ? [] : [bytes.buffer as ArrayBuffer])
}

async function serve(asked: ToDatabase): Promise<void> {
  try {
    say({ kind: 'done', answer: await answer(asked) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    say({ kind: 'failed', message, hasNoRoom: error instanceof BrokenError && error.hasNoRoom })
  }
  await instance?.checkpointWhenDue()
}

let last = Promise.resolve()
port.on('message', (asked: ToDatabase) => (last = last.then(() => serve(asked))))
