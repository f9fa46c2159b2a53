import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, type WriteStream } from 'node:fs'
import { access, mkdir, opendir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { makeFolder, syncPath, writeProbe } from '@/prisma/sync-disk'
import type { StoredBytes } from '../archive/open-zip'
import { sweptAtOnce, type FindNeeded, type RawStore, type RawWriter } from './raw-store'

const CHUNK_BYTES = 256 * 1024
/** Bytes that may wait for the disk while later ones are read. */
const WAITING_BYTES = 1024 * 1024

/** The store in a folder: temporary file, fsync, rename, fsync of the folder. */
export class FolderStore implements RawStore {
  private readonly incoming: string

  constructor(private readonly folder: string) {
    this.incoming = path.join(folder, 'incoming')
  }

  async create(): Promise<RawWriter> {
    await mkdir(this.incoming, { recursive: true, mode: 0o700 })
    return new FolderWriter(path.join(this.incoming, randomUUID()), (sha256) => this.place(sha256), this.folder)
  }

  async *read(sha256: string): AsyncGenerator<Uint8Array> {
    await access(this.place(sha256))
    yield* createReadStream(this.place(sha256), { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>
  }

  async sizeBytes(sha256: string): Promise<number> {
    return (await stat(this.place(sha256))).size
  }

  async has(sha256: string): Promise<boolean> {
    return existsSync(this.place(sha256))
  }

  async stored(sha256: string): Promise<StoredBytes> {
    return storedFile(this.place(sha256), await this.sizeBytes(sha256))
  }

  async sweep(findNeeded: FindNeeded, olderThanMs: number): Promise<number> {
    let removed = 0
    const before = Date.now() - olderThanMs
    for await (const files of this.listed()) {
      const needed = await findNeeded(files.filter((file) => !this.isIncoming(file)).map((file) => path.basename(file)))
      for (const file of files) {
        if (!this.isIncoming(file) && needed.has(path.basename(file))) continue
        // Removed since it was listed: an upload that is complete now, or the probe of a check.
        const found = await stat(file).catch(ifGone)
        if (found === null || found.mtimeMs >= before) continue
        await rm(file, { force: true })
        removed += 1
      }
    }
    return removed
  }

  private isIncoming(file: string): boolean {
    return path.dirname(file) === this.incoming
  }

  /** All files, some at a time. */
  private async *listed(): AsyncGenerator<readonly string[]> {
    const folder = await opendir(this.folder, { recursive: true }).catch(ifGone)
    let files: string[] = []
    for await (const entry of folder ?? []) {
      if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name))
      if (files.length < sweptAtOnce) continue
      yield files
      files = []
    }
    yield files
  }

  async isEmpty(): Promise<boolean> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return !entries.some((entry) => entry.isFile())
  }

  async check(): Promise<void> {
    await makeFolder(this.folder)
    await writeProbe(this.folder)
  }

  private place(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`Not a SHA-256: ${sha256}`)
    return path.join(this.folder, sha256.slice(0, 2), sha256)
  }
}

function ifGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/** A temporary file that `keep` moves to its place in `folder`. */
class FolderWriter implements RawWriter {
  private readonly stream: WriteStream
  private sizeBytes = 0
  private isOver = false

  constructor(
    private readonly temporary: string,
    private readonly place: (sha256: string) => string,
    private readonly folder: string,
  ) {
    // `flush`: on disk before it is closed.
    const options = { flags: 'wx', mode: 0o600, flush: true, highWaterMark: WAITING_BYTES }
    this.stream = createWriteStream(temporary, options)
    this.stream.on('error', () => undefined) // thrown by the next write
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (this.stream.errored) throw this.stream.errored
    this.sizeBytes += chunk.byteLength
    if (!this.stream.write(chunk)) await once(this.stream, 'drain')
  }

  async stored(): Promise<StoredBytes> {
    // An empty write ends after those before it. That the stream was destroyed is not the cause.
    await new Promise<void>((resolve, reject) =>
      this.stream.write('', (error) => (error ? reject(this.stream.errored ?? error) : resolve())),
    )
    return storedFile(this.temporary, this.sizeBytes)
  }

  async sync(): Promise<void> {
    this.stream.end()
    await finished(this.stream)
  }

  async keep(sha256: string): Promise<{ sizeBytes: number }> {
    const target = this.place(sha256)
    await keepFolder(path.dirname(target), this.folder)
    await rename(this.temporary, target)
    const now = new Date()
    await utimes(target, now, now) // young again, so that a sweep at this moment leaves it alone
    await syncPath(path.dirname(target))
    this.isOver = true
    return { sizeBytes: this.sizeBytes }
  }

  async discard(): Promise<void> {
    if (this.isOver) return
    this.isOver = true
    this.stream.destroy()
    await finished(this.stream).catch(() => undefined) // ended before it was whole, or failed before
    await rm(this.temporary, { force: true })
  }
}

/** A file of which any range can be read. */
export function storedFile(file: string, sizeBytes: number): StoredBytes {
  return {
    sizeBytes,
    read: (start, end) =>
      end > start ? createReadStream(file, { start, end: end - 1, highWaterMark: CHUNK_BYTES }) : Readable.from([]),
  }
}

/** Folders whose names are known to be on disk. */
const kept = new Set<string>()

/**
 * Makes a folder in `top`, or `top`; when it resolves, its name and those above it are on disk, no matter who made it.
 */
async function keepFolder(folder: string, top: string): Promise<void> {
  await makeFolder(folder)
  const names = [folder, top].filter((name) => !kept.has(name))
  for (const name of names) await syncPath(path.dirname(name))
  for (const name of names) kept.add(name)
}
