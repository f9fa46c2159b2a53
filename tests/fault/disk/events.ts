import path from 'node:path'
import type { DiskStep, Trace } from './model'

/** A file: its name, or when it was opened in the order of all events. */
type FileOf = string | number

/** One thing that a thread did to the disk, by names, or a mark. */
export type Done =
  /** Also of existing files. */
  | { readonly kind: 'make'; readonly name: string; readonly isFolder: boolean }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'open'; readonly name: string; readonly makes: boolean; readonly truncates: boolean }
  | { readonly kind: 'write'; readonly file: FileOf; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly file: FileOf; readonly size: number }
  /** Its operations before `since`. */
  | { readonly kind: 'sync'; readonly file: FileOf; readonly since: number }
  | { readonly kind: 'mark'; readonly id: string }

/** `at`: its position in the order of all threads. */
export interface DiskEvent {
  readonly at: number
  readonly done: Done
}

/** Combines the events of several threads in an initially empty folder into one trace. */
export function stepsOf(root: string, events: readonly DiskEvent[]): Trace {
  const merged = new Merged(root)
  for (const event of events.toSorted((a, b) => a.at - b.at)) merged.add(event)
  return { steps: merged.steps, blob: Buffer.concat(merged.blobs) }
}

class Merged {
  readonly steps: DiskStep[] = []
  readonly blobs: Uint8Array[] = []
  #blobBytes = 0
  #lastInode = 0
  /** Inodes by path; the root is 0. */
  readonly #inodes: Map<string, number>
  readonly #opened = new Map<number, number>()
  /** Steps before each event. */
  readonly #stepsBefore: number[] = []

  constructor(private readonly root: string) {
    this.#inodes = new Map([[root, 0]])
  }

  add({ at, done }: DiskEvent): void {
    while (this.#stepsBefore.length <= at) this.#stepsBefore.push(this.steps.length)
    switch (done.kind) {
      case 'make':
        return this.#make(done.name, done.isFolder)
      case 'remove':
        return this.#remove(done.name)
      case 'rename':
        return this.#rename(done.from, done.to)
      case 'open':
        if (done.makes) this.#make(done.name, false)
        this.#opened.set(at, this.#inodeOf(done.name))
        if (done.truncates) this.steps.push({ kind: 'truncate', inode: this.#inodeOf(done.name), size: 0 })
        return
      case 'write':
        return this.#write(this.#inodeOf(done.file), done.position, done.bytes)
      case 'truncate':
        this.steps.push({ kind: 'truncate', inode: this.#inodeOf(done.file), size: done.size })
        return
      case 'sync':
        // Files that are not recorded, such as the lock, are also synced by name.
        if (typeof done.file === 'string' && !this.#inodes.has(done.file)) return
        this.steps.push({ kind: 'sync', inode: this.#inodeOf(done.file), upTo: this.#stepsUpTo(done.since) })
        return
      case 'mark':
        this.steps.push(done)
    }
  }

  #stepsUpTo(at: number): number {
    return this.#stepsBefore[at] ?? this.steps.length
  }

  #inodeOf(file: FileOf): number {
    const inode = typeof file === 'string' ? this.#inodes.get(file) : this.#opened.get(file)
    if (inode === undefined) throw new Error(`The recorder does not know ${file}.`)
    return inode
  }

  #placeOf(name: string) {
    return { folder: this.#inodeOf(path.dirname(name)), name: path.basename(name) }
  }

  /**
   * The folders above it exist by then, although the call of another thread that created them may not be recorded yet.
   */
  #make(name: string, isFolder: boolean): void {
    if (this.#inodes.has(name)) return
    if (isFolder && path.dirname(name).startsWith(this.root)) this.#make(path.dirname(name), true)
    this.#inodes.set(name, (this.#lastInode += 1))
    this.steps.push({ kind: 'make', inode: this.#lastInode, isFolder, ...this.#placeOf(name) })
  }

  #remove(name: string): void {
    if (!this.#inodes.has(name)) return
    this.steps.push({ kind: 'remove', ...this.#placeOf(name) })
    for (const known of [...this.#inodes.keys()])
      if (known === name || known.startsWith(`${name}/`)) this.#inodes.delete(known)
  }

  #rename(from: string, to: string): void {
    this.steps.push({
      ...{ kind: 'rename', inode: this.#inodeOf(from) },
      ...{ from: this.#placeOf(from), to: this.#placeOf(to) },
    })
    for (const [known, inode] of [...this.#inodes]) {
      if (known !== from && !known.startsWith(`${from}/`)) continue
      this.#inodes.delete(known)
      this.#inodes.set(to + known.slice(from.length), inode)
    }
  }

  #write(inode: number, position: number, bytes: Uint8Array): void {
    this.blobs.push(bytes)
    this.steps.push({ kind: 'write', inode, position, blob: this.#blobBytes, bytes: bytes.byteLength })
    this.#blobBytes += bytes.byteLength
  }
}
