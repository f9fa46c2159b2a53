import { Duplex } from 'node:stream'
import { DatabaseThread } from './database-thread'
import type { RoomReserve } from './room-reserve'

/**
 * The one session of an embedded database, which `pg` talks to through `connect`. A failure that breaks PostgreSQL
 * itself (a full disk while it commits) ends it like a crash ends a server: the statement fails, and the next
 * connection opens the database again, which recovers what was committed. When that takes room and there is none, it
 * takes the reserve: the database is then read-only until the reserve is there again.
 */
export class EmbeddedSession {
  #thread: DatabaseThread | null
  #opening: Promise<DatabaseThread> | null = null
  /** End of the previous thread. */
  #ended: Promise<void> = Promise.resolve()
  #isOnReserve = false

  private constructor(
    private readonly folder: string,
    private readonly reserve: RoomReserve,
    private readonly worker: string | undefined,
    first: DatabaseThread,
  ) {
    this.#thread = first
  }

  /** Throws PGlite's error when the folder cannot be opened. */
  static async open(folder: string, reserve: RoomReserve, worker: string | undefined): Promise<EmbeddedSession> {
    const first = await DatabaseThread.open(folder, worker)
    await reserve.keep()
    return new EmbeddedSession(folder, reserve, worker, first)
  }

  /** Whether it was opened with the room of the reserve: connections must only read. */
  isOnReserve(): boolean {
    return this.#isOnReserve
  }

  /** Whether the reserve exists, made again if need be: then the database may be written. */
  async hasReserve(): Promise<boolean> {
    if (await this.reserve.keep()) this.#isOnReserve = false
    return !this.#isOnReserve
  }

  /** A new connection, for `stream` of a pg.Client. The one before it must have ended. */
  connect(): Duplex {
    return new EmbeddedSocket(this)
  }

  async ready(): Promise<void> {
    if (this.#thread !== null) return
    this.#opening ??= this.#openAgain()
    try {
      this.#thread = await this.#opening
    } finally {
      this.#opening = null
    }
  }

  async #openAgain(): Promise<DatabaseThread> {
    await this.#ended
    try {
      return await DatabaseThread.open(this.folder, this.worker)
    } catch (error) {
      if (!isNoRoom(error) || !(await this.reserve.release())) throw error
      this.#isOnReserve = true
      return await DatabaseThread.open(this.folder, this.worker)
    }
  }

  /** PostgreSQL's answer to whole messages of its protocol. Throws when it broke over them. */
  async exchange(messages: Uint8Array): Promise<Uint8Array> {
    const thread = this.#thread
    if (thread === null) throw new Error('The embedded database ended and is opened again.')
    try {
      const answer = await thread.exchange(messages)
      return this.#isOnReserve ? refusedForRoom(answer) : answer
    } catch (error) {
      if (this.#thread === thread) {
        this.#thread = null
        this.#ended = thread.end()
      }
      throw error
    }
  }

  /** Checkpoints and ends it. */
  async close(): Promise<void> {
    await this.#thread?.close()
    this.#thread = null
  }
}

const isNoRoom = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC'

const readOnlyState = Buffer.from('C25006\0')
const diskFullState = Buffer.from('C53100\0')

/** The answer, in which a refused write (read_only_sql_transaction) carries the reason (disk_full). */
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

/**
 * What `pg` takes for a socket. It corks the messages of a statement, which are then answered as one: no message of
 * another connection can come between them, and after a failed one PostgreSQL skips the rest, as its protocol requires.
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
    const answer = await this.session.exchange(messages)
    if (answer.byteLength > 0) this.push(answer)
    const isGoodbye = messages[0] === 'X'.charCodeAt(0)
    if (isGoodbye) this.push(null)
  }

  // Calls that pg makes on sockets and that mean nothing here.
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
}
