import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import type { DiskStep, Trace } from './disk-model'

type Callback = (error: Error | null, ...results: readonly unknown[]) => void
type Any = (...args: never[]) => unknown

/**
 * Notes what this process writes, truncates, renames, makes, removes and syncs in a folder, from now on: it lies under
 * `fs` and does what it is asked besides. Bytes count as written when they are; a sync holds for what was written before
 * it began. The folder must be empty. What is not used by the database and the raw store is not noted.
 */
export function recordDisk(root: string): { readonly trace: Trace; mark(id: string): void } {
  const steps: DiskStep[] = []
  const blobs: Buffer[] = []
  let blobBytes = 0
  let lastInode = 0
  /** Inodes by path; the root is 0. */
  const inodes = new Map<string, number>([[root, 0]])
  const descriptors = new Map<number, { readonly inode: number; position: number }>()
  let isInside = false

  const isOurs = (name: string) => name.startsWith(`${root}/`) && !path.basename(name).startsWith('tailboard.lock')
  const inodeOf = (name: string): number => {
    const inode = inodes.get(name)
    if (inode === undefined) throw new Error(`The recorder does not know ${name}.`)
    return inode
  }
  const place = (name: string) => ({ folder: inodeOf(path.dirname(name)), name: path.basename(name) })
  const noteMade = (name: string, kind: 'file' | 'folder') => {
    if (!isOurs(name) || inodes.has(name)) return
    inodes.set(name, (lastInode += 1))
    steps.push({ kind: 'make', inode: lastInode, isFolder: kind === 'folder', ...place(name) })
  }
  const noteRemoved = (name: string) => {
    if (!isOurs(name) || !inodes.has(name)) return
    steps.push({ kind: 'remove', ...place(name) })
    for (const known of [...inodes.keys()]) if (known === name || known.startsWith(`${name}/`)) inodes.delete(known)
  }
  const noteRenamed = (from: string, to: string) => {
    if (!isOurs(from) || !isOurs(to)) return
    steps.push({ kind: 'rename', inode: inodeOf(from), from: place(from), to: place(to) })
    for (const [known, inode] of [...inodes]) {
      if (known !== from && !known.startsWith(`${from}/`)) continue
      inodes.delete(known)
      inodes.set(to + known.slice(from.length), inode)
    }
  }
  const noteOpened = (name: string, flags: string | number, descriptor: number) => {
    if (!isOurs(name) && name !== root) return
    const makes = typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : /[wa]/.test(flags)
    const truncates = typeof flags === 'number' ? (flags & fs.constants.O_TRUNC) !== 0 : flags.startsWith('w')
    if (makes) noteMade(name, 'file')
    const inode = inodeOf(name)
    if (truncates) steps.push({ kind: 'truncate', inode, size: 0 })
    descriptors.set(descriptor, { inode, position: 0 })
  }
  const noteWritten = (descriptor: number, bytes: Uint8Array, position: number | null | undefined) => {
    const open = descriptors.get(descriptor)
    if (open === undefined) return
    const at = position ?? open.position
    if (typeof position !== 'number') open.position += bytes.byteLength
    blobs.push(Buffer.from(bytes))
    steps.push({ kind: 'write', inode: open.inode, position: at, blob: blobBytes, bytes: bytes.byteLength })
    blobBytes += bytes.byteLength
  }
  const noteSynced = (inode: number | undefined, upTo: number) => {
    if (inode !== undefined) steps.push({ kind: 'sync', inode, upTo })
  }

  /** Replaces a function of `fs`; what the original itself calls is not noted again. */
  const replace = (owner: object, name: string, make: (original: Any) => Any) => {
    const functions = owner as Record<string, Any>
    const original = functions[name]
    if (original === undefined) throw new Error(`fs.${name} is gone.`)
    const own = make(original.bind(owner) as Any)
    functions[name] = ((...args: never[]) => (isInside ? original.apply(owner, args) : own(...args))) as Any
  }
  const inside = <T>(work: () => T): T => {
    isInside = true
    try {
      return work()
    } finally {
      isInside = false
    }
  }
  /** Synchronous: done, then noted. */
  const after = (name: string, note: (args: readonly unknown[], result: unknown) => void) =>
    replace(fs, name, (original) => (...args: never[]) => {
      const result = inside(() => original(...args))
      note(args, result)
      return result
    })
  const text = (value: unknown) => path.resolve(String(value))

  after('openSync', ([name, flags], descriptor) => noteOpened(text(name), flags as number, Number(descriptor)))
  after('closeSync', ([descriptor]) => descriptors.delete(Number(descriptor)))
  after('writeFileSync', ([name]) => noteMade(text(name), 'file'))
  after('mkdirSync', ([name]) => noteMade(text(name), 'folder'))
  after('renameSync', ([from, to]) => noteRenamed(text(from), text(to)))
  after('unlinkSync', ([name]) => noteRemoved(text(name)))
  after('rmdirSync', ([name]) => noteRemoved(text(name)))
  after('writeSync', ([descriptor, buffer, offset, , position], written) => {
    const view = buffer as Uint8Array
    const bytes = Buffer.from(view.buffer, view.byteOffset + Number(offset ?? 0), Number(written))
    noteWritten(Number(descriptor), bytes, position as number | null)
  })
  after('ftruncateSync', ([descriptor, size]) => {
    const open = descriptors.get(Number(descriptor))
    if (open !== undefined) steps.push({ kind: 'truncate', inode: open.inode, size: Number(size ?? 0) })
  })
  after('truncateSync', ([name, size]) => {
    if (isOurs(text(name))) steps.push({ kind: 'truncate', inode: inodeOf(text(name)), size: Number(size ?? 0) })
  })
  for (const name of ['fsyncSync', 'fdatasyncSync'])
    after(name, ([descriptor]) => noteSynced(descriptors.get(Number(descriptor))?.inode, steps.length))

  /** With a callback: noted when it is called. `before`: what is known when the work begins. */
  const later = <T>(
    name: string,
    before: (args: readonly unknown[]) => T,
    note: (args: readonly unknown[], result: unknown, known: T) => void,
  ) =>
    replace(fs, name, (original) => (...args: never[]) => {
      const known = before(args)
      const callback = args.at(-1) as unknown as Callback
      const noting: Callback = (error, ...results) => {
        if (error === null || error === undefined) note(args, results[0], known)
        callback(error, ...results)
      }
      return original(...([...args.slice(0, -1), noting] as never[]))
    })
  const nothing = () => null
  later('open', nothing, ([name, flags], descriptor) =>
    noteOpened(text(name), (flags ?? 'r') as string, Number(descriptor)),
  )
  later('close', nothing, ([descriptor]) => void descriptors.delete(Number(descriptor)))
  later('write', nothing, ([descriptor, buffer, offset, , position], written) => {
    const bytes = (buffer as Buffer).subarray(Number(offset), Number(offset) + Number(written))
    noteWritten(Number(descriptor), bytes, position as number | null)
  })
  later('writev', nothing, ([descriptor, buffers, position]) => {
    const all = Buffer.concat(buffers as Buffer[])
    noteWritten(Number(descriptor), all, typeof position === 'number' ? position : null)
  })
  const upTo = () => steps.length
  for (const name of ['fsync', 'fdatasync'])
    later(name, upTo, ([descriptor], _, known) => noteSynced(descriptors.get(Number(descriptor))?.inode, known))

  const promised = (name: string, note: (args: readonly unknown[], result: unknown) => void) =>
    replace(fs.promises, name, (original) => async (...args: never[]) => {
      const result = await original(...args)
      note(args, result)
      return result
    })
  // Folders above it are there by then, though another call that made them may not have been noted yet.
  promised('mkdir', ([name]) => {
    const made: string[] = []
    for (let folder = text(name); isOurs(folder) && !inodes.has(folder); folder = path.dirname(folder))
      made.unshift(folder)
    for (const folder of made) noteMade(folder, 'folder')
  })
  promised('rename', ([from, to]) => noteRenamed(text(from), text(to)))
  promised('rm', ([name]) => noteRemoved(text(name)))
  promised('open', ([name], opened) => {
    const handle = opened as { sync(): Promise<void> }
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      const known = steps.length
      await sync()
      noteSynced(inodes.get(text(name)), known)
    }
  })
  syncBuiltinESMExports()
  return {
    trace: {
      steps,
      get blob() {
        return Buffer.concat(blobs)
      },
    },
    mark: (id) => void steps.push({ kind: 'mark', id }),
  }
}
