import { PGlite } from '@electric-sql/pglite'
import { closeSync } from 'node:fs'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RoomReserve } from './room-reserve'
import { SyncedFiles } from './synced-files'

/**
 * PGlite's own settings without `-F`, which turns syncing off. `fdatasync` and the like are stubs of its C library, its
 * `fsync` is not.
 */
const startParams = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync']

const longestTurnMs = 10

/** Bytes that are written between two checkpoints: one of more takes longer than another request should wait. */
const checkpointBytes = 32 * 1024 * 1024
const checkpoint = simpleQuery('CHECKPOINT')

function simpleQuery(sql: string): Uint8Array {
  const message = Buffer.from(`Q\0\0\0\0${sql}\0`)
  message.writeInt32BE(message.length - 1, 1)
  return message
}

/** Makes a database in an empty folder. Its files are not synced yet. */
export async function makeDatabase(folder: string): Promise<void> {
  await (await PGlite.create(folder)).close()
}

/**
 * The one session of an embedded database, which `pg` talks to through `connect`. What breaks PostgreSQL itself (a full
 * disk while it commits) ends it like a crash ends a server: the statement fails, and the next connection opens the
 * database again, which recovers what was committed. Where that takes room and there is none, it takes the reserve: the
 * database can be read from then on, and is not written until the reserve is there again.
 */
export class EmbeddedSession {
  #instance: Instance | null
  #opening: Promise<Instance> | null = null
  #isOnReserve = false
  /** Of the first statement in this turn of the event loop; null: there was none. */
  #turnBeganAt: number | null = null

  private constructor(
    private readonly folder: string,
    private readonly reserve: RoomReserve,
    first: Instance,
  ) {
    this.#instance = first
  }

  /** Throws what PGlite throws when the folder cannot be opened. */
  static async open(folder: string, reserve: RoomReserve): Promise<EmbeddedSession> {
    const first = await Instance.open(folder)
    await reserve.keep()
    return new EmbeddedSession(folder, reserve, first)
  }

  /** Whether it was opened with the room of the reserve: whoever connects is to read only. */
  isOnReserve(): boolean {
    return this.#isOnReserve
  }

  /** Whether the reserve is there, made again if need be: then it may be written. */
  async hasReserve(): Promise<boolean> {
    if (await this.reserve.keep()) this.#isOnReserve = false
    return !this.#isOnReserve
  }

  /** A new connection, for `stream` of a pg.Client. The one before it must be over. */
  connect(): Duplex {
    return new EmbeddedSocket(this)
  }

  async ready(): Promise<void> {
    if (this.#instance !== null) return
    this.#opening ??= this.#openAgain()
    try {
      this.#instance = await this.#opening
    } finally {
      this.#opening = null
    }
  }

  async #openAgain(): Promise<Instance> {
    try {
      return await Instance.open(this.folder)
    } catch (error) {
      if (!isNoRoom(error) || !(await this.reserve.release())) throw error
      this.#isOnReserve = true
      return await Instance.open(this.folder)
    }
  }

  /**
   * PostgreSQL runs in this thread, and whoever waits for its answer goes on in the same turn of the event loop: a
   * transaction of many statements would keep it from everything else. Resolves at once, or in the next turn.
   */
  async giveWay(): Promise<void> {
    if (this.#turnBeganAt === null) {
      this.#turnBeganAt = performance.now()
      setImmediate(() => (this.#turnBeganAt = null))
    } else if (performance.now() - this.#turnBeganAt > longestTurnMs) await nextTurn()
  }

  /** What PostgreSQL answers to whole messages of its protocol. Throws when it broke over them. */
  async exchange(messages: Uint8Array): Promise<Uint8Array> {
    const instance = this.#instance
    if (instance === null) throw new Error('The embedded database ended and is opened again.')
    try {
      const answer = await instance.exchange(messages)
      return this.#isOnReserve ? refusedForRoom(answer) : answer
    } catch (error) {
      if (this.#instance === instance) this.#instance = null
      instance.abandon()
      throw error
    }
  }

  /**
   * What a server's checkpointer does beside its sessions, between two statements of this one, in a transaction or not. One
   * that fails is tried again after as many bytes; one that breaks PostgreSQL is reported by the next statement.
   */
  async checkpointWhenDue(): Promise<void> {
    if (this.#instance === null || this.#instance.bytesSinceCheckpoint() < checkpointBytes) return
    await this.giveWay()
    await this.exchange(checkpoint).catch(() => undefined)
    this.#instance?.noteCheckpoint()
  }

  /** Checkpoints and ends it. */
  async close(): Promise<void> {
    await this.#instance?.close()
    this.#instance = null
  }
}

/** One start of PostgreSQL: usable until it breaks. */
class Instance {
  #failure: Error | null = null
  /** As many bytes had been written by then. */
  #checkpointedAt = 0

  private constructor(
    private readonly db: PGlite,
    private readonly files: SyncedFiles,
  ) {
    this.#watch()
  }

  static async open(folder: string): Promise<Instance> {
    const files = new SyncedFiles(folder)
    const db = await PGlite.create({ fs: files, startParams }).catch((error: unknown) => {
      throw files.hasNoRoom() ? noRoomError(error) : error
    })
    return new Instance(db, files)
  }

  async exchange(messages: Uint8Array): Promise<Uint8Array> {
    const answer = await this.db.execProtocolRaw(messages)
    if (this.#failure !== null) throw this.#failure
    return answer
  }

  bytesSinceCheckpoint(): number {
    return this.files.writtenBytes() - this.#checkpointedAt
  }

  noteCheckpoint(): void {
    this.#checkpointedAt = this.files.writtenBytes()
  }

  close(): Promise<void> {
    return this.db.close()
  }

  /** Gives back what a broken instance has open. It is not asked to end: it could write. */
  abandon(): void {
    const { streams } = this.db.Module.FS as unknown as { streams: readonly ({ readonly nfd?: number } | null)[] }
    const open = new Set(streams.flatMap((stream) => (stream?.nfd === undefined ? [] : [stream.nfd])))
    for (const descriptor of open) closeSync(descriptor)
  }

  /**
   * PGlite's loop knows one exception, PostgreSQL's own way out of a statement, and tries again after every other one, for
   * ever. An end of the process or of the stack has to leave the loop: through the call that only the known exception leads to.
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
        const cause = this.files.hasNoRoom() ? noRoomError(error) : error
        const reason = this.files.hasNoRoom() ? 'the disk is full or may not be written' : String(error)
        this.#failure = new Error(`The embedded database ended: ${reason}`, { cause })
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

const noRoomError = (cause: unknown): Error =>
  Object.assign(new Error('the disk is full or may not be written', { cause }), { code: 'ENOSPC' })

const isNoRoom = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC'

const readOnlyState = Buffer.from('C25006\0')
const diskFullState = Buffer.from('C53100\0')

/** The answer, in which a refused write (read_only_sql_transaction) says why it was refused (disk_full). */
function refusedForRoom(answer: Uint8Array): Uint8Array {
  const told = Buffer.from(answer)
  // Each message: its type, then the length of the rest.
  for (let at = 0; at + 5 <= told.length; at += 1 + told.readUInt32BE(at + 1)) {
    if (told[at] !== 'E'.charCodeAt(0)) continue
    const found = told.indexOf(readOnlyState, at)
    if (found !== -1 && found < at + told.readUInt32BE(at + 1)) diskFullState.copy(told, found)
  }
  return told
}

const isExit = (error: unknown): error is { readonly status: unknown } =>
  typeof error === 'object' && error !== null && 'status' in error

/**
 * What `pg` takes for a socket. It corks the messages of a statement, which are then answered as one: between them no
 * other connection's can come, and after a failed one PostgreSQL skips the rest, as its protocol says.
 */
class EmbeddedSocket extends Duplex {
  constructor(private readonly session: EmbeddedSession) {
    super()
  }

  connect(): this {
    this.session.ready().then(
      () => this.emit('connect'),
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    )
    return this
  }

  override _read(): void {
    // pushed as it comes
  }

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    this.#send(chunk).then(() => done(), done)
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done)
  }

  async #send(messages: Uint8Array): Promise<void> {
    await this.session.giveWay()
    // PGlite answers from a buffer that it uses again.
    const answer = Buffer.from(await this.session.exchange(messages))
    await this.session.giveWay()
    if (answer.byteLength > 0) this.push(answer)
    await this.session.checkpointWhenDue()
    const isGoodbye = messages[0] === 'X'.charCodeAt(0)
    if (isGoodbye) this.push(null)
  }

  // What pg asks of sockets and means nothing here.
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
}
