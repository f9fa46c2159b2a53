import { randomUUID } from 'node:crypto'
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

/** The holder of a folder. What the system does not provide (no /proc) is null and then not compared. */
const holderSchema = z.object({
  pid: z.number().int(),
  bootId: z.string().nullable(),
  /** Clock ticks since boot, field 22 of /proc/<pid>/stat: distinguishes a process from a later one with its pid. */
  startTime: z.string().nullable(),
  /** A pid means something only inside its namespace (container). */
  pidNamespace: z.string().nullable(),
  nonce: z.string(),
})
type Holder = z.infer<typeof holderSchema>

/** A held folder; `release` releases it and may be called twice. */
export interface FolderLock {
  release(): Promise<void>
}

type TriedLock = ({ readonly kind: 'taken' } & FolderLock) | { readonly kind: 'held'; readonly pid: number }

const lockFile = (folder: string): string => path.join(folder, 'tailboard.lock')

const beatMs = 5_000
const silentMs = 60_000

/**
 * Takes a data folder for this process: the file `tailboard.lock` in it. The embedded database has no lock of its own,
 * and two processes on one folder silently lose each other's writes. Taken over only from a holder that is certainly
 * gone: dead, from an earlier boot, or its pid now another process's. For a process in another container only the
 * file's heartbeat can be seen; it counts as gone after a minute of silence. Throws a sentence that names the holder.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const lock = await tryLockFolder(folder)
  if (lock.kind === 'held') throw new Error(heldSentence(folder, lock.pid))
  return lock
}

/** Takes a folder as lockFolder does, or returns which process holds it, for a caller that can wait. */
export async function tryLockFolder(folder: string): Promise<TriedLock> {
  const file = lockFile(folder)
  const self = await describeSelf()
  const holder = await take(file, self)
  if (holder !== null) return { kind: 'held', pid: holder.pid }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), beatMs)
  beat.unref()
  return {
    kind: 'taken',
    release: async () => {
      clearInterval(beat)
      if ((await readHolder(file))?.nonce === self.nonce) await rm(file, { force: true })
    },
  }
}

function heldSentence(folder: string, pid: number): string {
  return (
    `The data folder ${folder} is in use by process ${pid}: Tailboard is already running on it. ` +
    `Use that one, or stop it (kill ${pid}), or set TAILBOARD_DATA to another folder, ` +
    `or set DATABASE_URL so that several processes can share one PostgreSQL. (Lock file: ${lockFile(folder)})`
  )
}

/**
 * Null: taken. Else the living holder. Only the holder of the guard named after a stale file may replace it, and only
 * if it is still the same file then, so that of several takers one wins; a guard left by a kill is itself such a file.
 */
async function take(file: string, self: Holder): Promise<Holder | null> {
  for (;;) {
    if (await create(file, self)) return null
    const holder = await readHolder(file)
    if (holder === null) continue // released in between
    if (await isAlive(holder, file)) return holder
    const guard = `${file}.${holder.nonce}`
    if ((await take(guard, self)) !== null) {
      await sleep(50)
      continue
    }
    try {
      if ((await readHolder(file))?.nonce !== holder.nonce) continue
      const own = await writeOwn(file, self)
      await rename(own, file)
      return null
    } finally {
      await rm(guard, { force: true })
    }
  }
}

/** Creates the file whole or not at all: a link either makes the name or fails because it exists. */
async function create(file: string, self: Holder): Promise<boolean> {
  const own = await writeOwn(file, self)
  try {
    await link(own, file)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    // File systems without links: exclusive creation, where a kill in between leaves an empty file (stale, see readHolder).
    if (isCode(error, 'EPERM') || isCode(error, 'ENOTSUP') || isCode(error, 'ENOSYS')) {
      return writeFile(file, JSON.stringify(self), { flag: 'wx', mode: 0o600 }).then(
        () => true,
        (reason: unknown) => {
          if (isCode(reason, 'EEXIST')) return false
          throw reason
        },
      )
    }
    throw error
  } finally {
    await rm(own, { force: true })
  }
}

async function writeOwn(file: string, self: Holder): Promise<string> {
  const own = `${file}.new-${randomUUID()}`
  await writeFile(own, JSON.stringify(self), { mode: 0o600 })
  return own
}

/** Null: no such file. An unreadable file belongs to no process: pid 0, never alive. */
async function readHolder(file: string): Promise<Holder | null> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    return { pid: 0, bootId: null, startTime: null, pidNamespace: null, nonce: 'unreadable' }
  }
}

async function isAlive(holder: Holder, file: string): Promise<boolean> {
  if (holder.pid <= 0) return touchedWithin(file, beatMs) // perhaps just being written
  const here = await describeProcess(process.pid)
  if (differ(holder.bootId, here.bootId)) return false
  if (differ(holder.pidNamespace, here.pidNamespace)) return touchedWithin(file, silentMs)
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (isCode(error, 'ESRCH')) return false // EPERM: it lives, and belongs to another user
  }
  const there = await describeProcess(holder.pid)
  return !there.ended && !differ(holder.startTime, there.startTime)
}

async function touchedWithin(file: string, ms: number): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs < ms
}

function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b
}

async function describeSelf(): Promise<Holder> {
  const { bootId, startTime, pidNamespace } = await describeProcess(process.pid)
  return { pid: process.pid, bootId, startTime, pidNamespace, nonce: randomUUID() }
}

type Description = Pick<Holder, 'bootId' | 'startTime' | 'pidNamespace'> & { readonly ended: boolean }

async function describeProcess(pid: number): Promise<Description> {
  const [bootId, status, pidNamespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
    readlink('/proc/self/ns/pid').catch(() => null),
  ])
  // The second field is the command in parentheses and may contain blanks and parentheses; the third is the state.
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ') ?? []
  // Killed, and its parent has not collected its exit code yet: the pid still answers.
  const ended = fields[0] === 'Z' || fields[0] === 'X'
  return { bootId: bootId?.trim() ?? null, startTime: fields[19] ?? null, pidNamespace, ended }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
