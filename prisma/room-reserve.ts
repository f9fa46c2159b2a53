import { randomBytes } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'

/** What recovery needs at most: a segment of PostgreSQL's log (16 MiB), and as much again for a checkpoint. */
const reserveBytes = 32 * 1024 * 1024
const blockBytes = 1024 * 1024

/**
 * Room on the disk that no other process can take: a file that exists only to be removed. A database that ended because
 * the disk was full cannot be opened without any room, and nothing could be read until a person makes some.
 */
export class RoomReserve {
  constructor(private readonly file: string) {}

  /** Makes it if it is missing. False: there is less than twice its room, so that it would be gone again at once. */
  async keep(): Promise<boolean> {
    if (await this.#isThere()) return true
    try {
      const { bavail, bsize } = await statfs(path.dirname(this.file))
      if (bavail * bsize < 2 * reserveBytes) return false
      await this.#write()
      return true
    } catch {
      // The next write reports what is wrong with the disk.
      await rm(this.file, { force: true }).catch(() => undefined)
      return false
    }
  }

  /** Frees its room for others. False: there was none. */
  async release(): Promise<boolean> {
    if (!(await this.#isThere())) return false
    await rm(this.file)
    return true
  }

  async #isThere(): Promise<boolean> {
    const found = await stat(this.file).catch(() => null)
    return found?.size === reserveBytes
  }

  async #write(): Promise<void> {
    // Not zeros: file systems that compress would reserve no room for them.
    const block = randomBytes(blockBytes)
    const handle = await open(this.file, 'w', 0o600)
    try {
      for (let written = 0; written < reserveBytes; written += blockBytes) await handle.writeFile(block)
    } finally {
      await handle.close()
    }
  }
}
