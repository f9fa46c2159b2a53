import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { PGlite } from '@electric-sql/pglite'
import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import path from 'node:path'

/** Files of Emscripten's NODEFS, as far as needed here; its types leave them out. */
interface FileNode {
  readonly parent: FileNode
}
interface Nodefs {
  realPath(node: FileNode): string
  readonly node_ops: {
    mknod(parent: FileNode, name: string, ...rest: unknown[]): unknown
    symlink(parent: FileNode, ...rest: unknown[]): unknown
    rename(node: FileNode, parent: FileNode, ...rest: unknown[]): unknown
  }
  readonly stream_ops: {
    fsync?: (stream: { readonly node: FileNode; readonly nfd?: number }) => number
    open(...args: unknown[]): unknown
    write(...args: unknown[]): number
  }
}
type InitOptions = Parameters<NodeFS['init']>[1]

/**
 * A folder of the embedded database in which a sync reaches the disk. PGlite's own file system skips the syncs that
 * PostgreSQL requests at each commit and checkpoint. A file's bytes survive a power cut only if its name does, so
 * folders in which names were made are synced with the first file in them.
 *
 * The empty copy of an unlogged table (`<table>_init`) is made after the table's file, and recovery makes the table
 * from it again: if the table's name is on disk and the copy's is not, PostgreSQL finds an unexpected file and does not
 * start. The copy's name is synced as it is made, before any log mentions it.
 */
export class SyncedFiles extends NodeFS {
  #hasNoRoom = false
  #writtenBytes = 0

  /** Whether the last write failed because the disk is full or read-only. */
  hasNoRoom(): boolean {
    return this.#hasNoRoom
  }

  /** Bytes of all files, since it was opened. */
  writtenBytes(): number {
    return this.#writtenBytes
  }

  override async init(pg: PGlite, options: InitOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    const patch = (module: { readonly NODEFS: unknown }) => {
      const files = module.NODEFS as Nodefs
      syncFilesOf(files, this.rootDir)
      watchRoomOf(files, (hasNoRoom) => (this.#hasNoRoom = hasNoRoom))
      const { write } = files.stream_ops
      files.stream_ops.write = (...args) => {
        const written = write(...args)
        this.#writtenBytes += written
        return written
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [patch, ...(emscriptenOpts.preRun ?? [])] } }
  }
}

/** ENOSPC, EROFS and EDQUOT as `errno` of Emscripten. */
const noRoom: ReadonlySet<unknown> = new Set([51, 69, 19])

function watchRoomOf({ stream_ops, node_ops }: Nodefs, note: (hasNoRoom: boolean) => void): void {
  const watch = <T extends unknown[], R>(operation: (...args: T) => R, isProof: boolean) => {
    return (...args: T): R => {
      try {
        const result = operation(...args)
        if (isProof) note(false)
        return result
      } catch (error) {
        const isNoRoom = typeof error === 'object' && error !== null && 'errno' in error && noRoom.has(error.errno)
        if (isProof || isNoRoom) note(isNoRoom)
        throw error
      }
    }
  }
  stream_ops.write = watch(stream_ops.write, true)
  stream_ops.open = watch(stream_ops.open, false)
  node_ops.mknod = watch(node_ops.mknod, false)
}

function syncFilesOf(files: Nodefs, root: string): void {
  /** Folders with names that are not on disk yet. */
  const changed = new Set<string>()
  const { mknod, rename, symlink } = files.node_ops
  const note = (folder: FileNode) => changed.add(files.realPath(folder))
  const syncFolder = (folder: string) => {
    syncFolderNow(folder)
    changed.delete(folder)
  }
  Object.assign(files.node_ops, {
    mknod: (...args: Parameters<typeof mknod>) => {
      note(args[0])
      const made = mknod(...args)
      if (args[1].endsWith('_init')) syncFolder(files.realPath(args[0]))
      return made
    },
    symlink: (...args: Parameters<typeof symlink>) => (note(args[0]), symlink(...args)),
    rename: (...args: Parameters<typeof rename>) => (note(args[0].parent), note(args[1]), rename(...args)),
  } satisfies Partial<Nodefs['node_ops']>)
  files.stream_ops.fsync = ({ node, nfd }) => {
    if (nfd !== undefined) fdatasyncSync(nfd)
    const own = files.realPath(node)
    if (nfd === undefined) changed.add(own)
    for (let folder = own; folder.startsWith(root); folder = path.dirname(folder)) {
      if (changed.has(folder)) syncFolder(folder)
    }
    return 0
  }
}

function syncFolderNow(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
