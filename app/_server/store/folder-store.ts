import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { makeFolder, syncPath, writeProbe } from '@/prisma/sync-disk'
import type { StoredBytes } from '../archive/open-zip'
import type { RawStore, RawWriter } from './raw-store'

const CHUNK_BYTES = 256 * 1024
/** Bytes that may wait for the disk while later ones are read. */
const WAITING_BYTES = 1024 * 1024

/** The store in a folder: temporary file, fsync, rename, fsync of the folder. */
export function folderStore(folder: string): RawStore {
  const incoming = path.join(folder, 'incoming')
  const place = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`Not a SHA-256: ${sha256}`)
    return path.join(folder, sha256.slice(0, 2), sha256)
  }

  async function create(): Promise<RawWriter> {
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    const temporary = path.join(incoming, randomUUID())
    // `flush`: on disk before it is closed.
    const stream = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: WAITING_BYTES })
    stream.on('error', () => undefined) // thrown by the next write
    let sizeBytes = 0
    let isOver = false
    return {
      async write(chunk) {
        if (stream.errored) throw stream.errored
        sizeBytes += chunk.byteLength
        if (!stream.write(chunk)) await once(stream, 'drain')
      },
      async stored() {
        // An empty write ends after those before it. That the stream was destroyed is not the cause.
        await new Promise<void>((resolve, reject) =>
          stream.write('', (error) => (error ? reject(stream.errored ?? error) : resolve())),
        )
        return storedFile(temporary, sizeBytes)
      },
      async sync() {
        stream.end()
        await finished(stream)
      },
      async keep(sha256) {
        const target = place(sha256)
        await keepFolder(path.dirname(target), folder)
        await rename(temporary, target)
        const now = new Date()
        await utimes(target, now, now) // young again, so that a sweep at this moment leaves it alone
        await syncPath(path.dirname(target))
        isOver = true
        return { sizeBytes }
      },
      async discard() {
        if (isOver) return
        isOver = true
        stream.destroy()
        await finished(stream).catch(() => undefined) // ended before it was whole, or failed before
        await rm(temporary, { force: true })
      },
    }
  }

  async function sweep(isUsed: (sha256: string) => boolean, olderThanMs: number): Promise<number> {
    let removed = 0
    const before = Date.now() - olderThanMs
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
      if (!entry.isFile()) continue
      const file = path.join(entry.parentPath, entry.name)
      if (entry.parentPath !== incoming && isUsed(entry.name)) continue
      // Removed since it was listed: an upload that is complete now, or the probe of a check.
      const found = await stat(file).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      })
      if (found === null || found.mtimeMs >= before) continue
      await rm(file, { force: true })
      removed += 1
    }
    return removed
  }

  async function isEmpty(): Promise<boolean> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return !entries.some((entry) => entry.isFile())
  }

  return {
    create,
    sweep,
    isEmpty,
    async check() {
      await makeFolder(folder)
      await writeProbe(folder)
    },
    async sizeBytes(sha256) {
      return (await stat(place(sha256))).size
    },
    async has(sha256) {
      return existsSync(place(sha256))
    },
    async stored(sha256) {
      return storedFile(place(sha256), (await stat(place(sha256))).size)
    },
    async *read(sha256) {
      await access(place(sha256))
      yield* createReadStream(place(sha256), { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>
    },
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
