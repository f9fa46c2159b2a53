import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** When it resolves, the names in a folder, or the bytes of a file, are on disk. */
export async function syncPath(fileOrFolder: string): Promise<void> {
  const handle = await open(fileOrFolder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const syncedAtOnce = 16

/** Syncs all files and folders in a folder, and the folder itself. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
  for (let at = 0; at < paths.length; at += syncedAtOnce)
    await Promise.all(paths.slice(at, at + syncedAtOnce).map(syncPath))
  await syncPath(folder)
}

/** Makes a folder for this user only, with those above it, and syncs the new names. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path.resolve(folder); ; made = path.dirname(made)) {
    await syncPath(path.dirname(made))
    if (made === path.resolve(first)) return
  }
}

/** A name can often be made even when there is no room for bytes. */
const probeBytes = Buffer.alloc(64 * 1024, 1)

/** Throws when files cannot be made in a folder, or when there is no room for a small one. */
export async function writeProbe(folder: string): Promise<void> {
  const probe = path.join(folder, `.probe-${randomUUID()}`)
  try {
    await writeFile(probe, probeBytes, { flag: 'wx', mode: 0o600 })
  } finally {
    await rm(probe, { force: true })
  }
}
