import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

interface Place {
  readonly folder: number
  readonly name: string
}

/** One thing done to the disk, or a mark of the recorded program. Inode 0 is the root. */
export type DiskStep =
  | ({ readonly kind: 'make'; readonly inode: number; readonly isFolder: boolean } & Place)
  | ({ readonly kind: 'remove' } & Place)
  | { readonly kind: 'rename'; readonly inode: number; readonly from: Place; readonly to: Place }
  | {
      readonly kind: 'write'
      readonly inode: number
      readonly position: number
      readonly blob: number
      readonly bytes: number
    }
  | { readonly kind: 'truncate'; readonly inode: number; readonly size: number }
  /** Of what was done to the inode (a file's bytes, a folder's names) before the step `upTo`. */
  | { readonly kind: 'sync'; readonly inode: number; readonly upTo: number }
  | { readonly kind: 'mark'; readonly id: string }

export interface Trace {
  readonly steps: readonly DiskStep[]
  /** The bytes of all writes. */
  readonly blob: Buffer
}

const SECTOR_BYTES = 512

type Change = Extract<DiskStep, { kind: 'write' | 'truncate' }>
/** `inode` null: the name was removed. `rename`: the step of the rename that removed it. */
interface NameChange {
  readonly name: string
  readonly inode: number | null
  readonly rename: number | null
}
interface File {
  bytes: Buffer
  size: number
  readonly pending: { readonly step: number; readonly change: Change }[]
}
interface Folder {
  readonly names: Map<string, number>
  readonly pending: { readonly step: number; readonly change: NameChange }[]
}

/**
 * A disk that keeps only what POSIX promises: synced data survive, and any part of the rest. A file's bytes and its
 * name are synced separately; bytes are torn between sectors and in any order; of a folder's name changes, a prefix
 * survives.
 */
export class DiskModel {
  readonly #files = new Map<number, File>()
  readonly #folders = new Map<number, Folder>([[0, { names: new Map(), pending: [] }]])
  readonly #blob: Buffer
  #step = 0

  constructor(private readonly trace: Trace) {
    this.#blob = trace.blob
  }

  /** Applies the steps before this one; returns the marks among them. */
  advance(step: number): readonly string[] {
    const marks: string[] = []
    for (; this.#step < step; this.#step += 1) {
      const done = this.trace.steps[this.#step]
      if (done?.kind === 'mark') marks.push(done.id)
      else if (done !== undefined) this.#do(done, this.#step)
    }
    return marks
  }

  #do(done: Exclude<DiskStep, { kind: 'mark' }>, step: number): void {
    const rename = (place: Place, inode: number | null, of: number | null) =>
      this.#folder(place.folder).pending.push({ step, change: { name: place.name, inode, rename: of } })
    switch (done.kind) {
      case 'make':
        if (done.isFolder) this.#folders.set(done.inode, { names: new Map(), pending: [] })
        else this.#files.set(done.inode, { bytes: Buffer.alloc(0), size: 0, pending: [] })
        rename(done, done.inode, null)
        return
      case 'remove':
        rename(done, null, null)
        return
      case 'rename':
        rename(done.to, done.inode, null)
        rename(done.from, null, step)
        return
      case 'write':
      case 'truncate':
        this.#file(done.inode).pending.push({ step, change: done })
        return
      case 'sync':
        this.#sync(done.inode, done.upTo)
    }
  }

  #sync(inode: number, upTo: number): void {
    const isBefore = ({ step }: { readonly step: number }) => step < upTo
    const file = this.#files.get(inode)
    if (file !== undefined) {
      const count = file.pending.filter(isBefore).length
      for (const { change } of file.pending.splice(0, count)) applyChange(file, change, this.#blob, () => true)
    }
    const folder = this.#folders.get(inode)
    if (folder !== undefined) {
      const count = folder.pending.filter(isBefore).length
      for (const { change } of folder.pending.splice(0, count)) applyName(folder.names, change)
    }
  }

  /**
   * Writes what a power cut at this point leaves into a new folder. `random`: numbers from 0 to 1. `namesBefore`:
   * unsynced names created before this step survive; without it, a random prefix for each folder.
   */
  cut(target: string, random: () => number, namesBefore?: number): void {
    const counts = new Map<number, number>()
    /** Steps whose new name is lost, so that the old one stays. */
    const lostRenames = new Set<number>()
    for (const [inode, { pending }] of this.#folders) {
      const count =
        namesBefore === undefined
          ? Math.floor(random() * (pending.length + 1))
          : pending.filter(({ step }) => step < namesBefore).length
      counts.set(inode, count)
      for (const { step, change } of pending.slice(count)) if (change.rename === null) lostRenames.add(step)
    }
    const kept = new Map<number, ReadonlyMap<string, number>>()
    for (const [inode, { names, pending }] of this.#folders) {
      const now = new Map(names)
      for (const { change } of pending.slice(0, counts.get(inode)))
        if (change.rename === null || !lostRenames.has(change.rename)) applyName(now, change)
      kept.set(inode, now)
    }
    /** The share of unsynced sectors that survive: none, all, or some. */
    const share = [0, 1, random()][Math.floor(random() * 3)] ?? 0
    const write = (inode: number, place: string) => {
      const file = this.#files.get(inode)
      if (file === undefined) {
        mkdirSync(place, { mode: 0o700 })
        for (const [name, child] of kept.get(inode) ?? []) write(child, path.join(place, name))
        return
      }
      const copy: File = { bytes: Buffer.from(file.bytes), size: file.size, pending: [] }
      for (const { change } of file.pending) applyChange(copy, change, this.#blob, () => random() < share)
      writeFileSync(place, copy.bytes.subarray(0, copy.size), { mode: 0o600 })
    }
    write(0, target)
  }

  #file(inode: number): File {
    const file = this.#files.get(inode)
    if (file === undefined) throw new Error(`Inode ${inode} is no file.`)
    return file
  }

  #folder(inode: number): Folder {
    const folder = this.#folders.get(inode)
    if (folder === undefined) throw new Error(`Inode ${inode} is no folder.`)
    return folder
  }
}

function applyName(names: Map<string, number>, { name, inode }: NameChange): void {
  if (inode === null) names.delete(name)
  else names.set(name, inode)
}

function applyChange(file: File, change: Change, blob: Buffer, isKept: () => boolean): void {
  if (change.kind === 'truncate') {
    if (isKept()) resize(file, change.size)
    return
  }
  const end = change.position + change.bytes
  for (let from = change.position; from < end;) {
    const to = Math.min(end, (Math.floor(from / SECTOR_BYTES) + 1) * SECTOR_BYTES)
    if (isKept()) {
      if (to > file.size) resize(file, to)
      blob.copy(file.bytes, from, change.blob + from - change.position, change.blob + to - change.position)
    }
    from = to
  }
}

/** Bytes that were never written are zero. */
function resize(file: File, size: number): void {
  if (size > file.bytes.byteLength) {
    const larger = Buffer.alloc(Math.max(size, file.bytes.byteLength * 2))
    file.bytes.copy(larger, 0, 0, file.size)
    file.bytes = larger
  } else if (size < file.size) file.bytes.fill(0, size, file.size)
  file.size = size
}
