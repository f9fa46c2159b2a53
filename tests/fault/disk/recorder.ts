import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { z } from 'zod'
import { stepsOf, type DiskEvent, type Done } from './events'
import type { Trace } from './model'

type Callback = (error: Error | null, ...results: readonly unknown[]) => void
type Any = (...args: never[]) => unknown

/** State shared by threads: the folder, and a counter that orders the events of all threads. */
const sharedSchema = z.object({ root: z.string(), counter: z.instanceof(Int32Array) })
const name = 'disk-recorder'

/**
 * From now on, records what this process writes, truncates, renames, creates, removes and syncs in a folder: in this
 * thread, and in those that load this file before the code they record. It wraps `fs`, which works as usual. Bytes
 * count as written once they are; a sync covers what was written before it started. The folder must be empty. Functions
 * that the database and the raw store do not use are not recorded.
 */
export function recordDisk(root: string): { mark(id: string): void; trace(): Promise<Trace> } {
  setEnvironmentData(name, { root, counter: new Int32Array(new SharedArrayBuffer(4)) })
  const events: DiskEvent[] = []
  const channel = new BroadcastChannel(name)
  channel.onmessage = (message: { readonly data: DiskEvent }) => events.push(message.data)
  channel.unref()
  const note = recordInto((event) => events.push(event))
  return {
    mark: (id) => void note({ kind: 'mark', id }),
    async trace() {
      // Messages from other threads have been sent, but not received yet.
      for (let known = -1; known !== events.length; await wait(200)) known = events.length
      return stepsOf(root, events)
    },
  }
}

/** Wraps the `fs` of this thread; returns the function that records an event. */
function recordInto(send: (event: DiskEvent) => void): (done: Done) => number {
  const { root, counter } = sharedSchema.parse(getEnvironmentData(name))
  /** Of the next event. */
  const now = () => Atomics.load(counter, 0)
  const note = (done: Done): number => {
    const at = Atomics.add(counter, 0, 1)
    send({ at, done })
    return at
  }
  /** In this thread. `file`: when it was opened in the order of all events. */
  const descriptors = new Map<number, { readonly file: number; position: number }>()
  let isInside = false

  const isOurs = (name: string) => name.startsWith(`${root}/`) && !path.basename(name).startsWith('tailboard.lock')
  const noteMade = (name: string, isFolder: boolean) => {
    if (isOurs(name)) note({ kind: 'make', name, isFolder })
  }
  const noteRemoved = (name: string) => {
    if (isOurs(name)) note({ kind: 'remove', name })
  }
  const noteRenamed = (from: string, to: string) => {
    if (isOurs(from) && isOurs(to)) note({ kind: 'rename', from, to })
  }
  const noteOpened = (name: string, flags: string | number, descriptor: number) => {
    if (!isOurs(name) && name !== root) return
    const makes = typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : /[wa]/.test(flags)
    const truncates = typeof flags === 'number' ? (flags & fs.constants.O_TRUNC) !== 0 : flags.startsWith('w')
    descriptors.set(descriptor, { file: note({ kind: 'open', name, makes, truncates }), position: 0 })
  }
  const noteWritten = (descriptor: number, bytes: Uint8Array, position: number | null | undefined) => {
    const open = descriptors.get(descriptor)
    if (open === undefined) return
    const at = position ?? open.position
    if (typeof position !== 'number') open.position += bytes.byteLength
    // Copied, because sending to another thread would send the whole buffer around it.
    note({ kind: 'write', file: open.file, position: at, bytes: new Uint8Array(bytes) })
  }
  const noteTruncated = (file: number | string, size: unknown) =>
    note({ kind: 'truncate', file, size: Number(size ?? 0) })
  const noteSynced = (descriptor: number, since: number) => {
    const open = descriptors.get(descriptor)
    if (open !== undefined) note({ kind: 'sync', file: open.file, since })
  }

  /** Replaces a function of `fs`; calls made inside the original are not recorded again. */
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
  /** Synchronous: done, then recorded. */
  const after = (name: string, note: (args: readonly unknown[], result: unknown) => void) =>
    replace(fs, name, (original) => (...args: never[]) => {
      const result = inside(() => original(...args))
      note(args, result)
      return result
    })
  const text = (value: unknown) => path.resolve(String(value))

  after('openSync', ([name, flags], descriptor) => noteOpened(text(name), flags as number, Number(descriptor)))
  after('closeSync', ([descriptor]) => descriptors.delete(Number(descriptor)))
  after('writeFileSync', ([name]) => noteMade(text(name), false))
  after('mkdirSync', ([name]) => noteMade(text(name), true))
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
    if (open !== undefined) noteTruncated(open.file, size)
  })
  after('truncateSync', ([name, size]) => {
    if (isOurs(text(name))) noteTruncated(text(name), size)
  })
  for (const name of ['fsyncSync', 'fdatasyncSync'])
    after(name, ([descriptor]) => noteSynced(Number(descriptor), now()))

  /** With a callback: recorded when it is called. `before`: what is known when the work starts. */
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
  for (const name of ['fsync', 'fdatasync'])
    later(name, now, ([descriptor], _, since) => noteSynced(Number(descriptor), since))

  const promised = (name: string, note: (args: readonly unknown[], result: unknown) => void) =>
    replace(fs.promises, name, (original) => async (...args: never[]) => {
      const result = await original(...args)
      note(args, result)
      return result
    })
  promised('mkdir', ([name]) => noteMade(text(name), true))
  promised('rename', ([from, to]) => noteRenamed(text(from), text(to)))
  promised('rm', ([name]) => noteRemoved(text(name)))
  promised('open', ([name], opened) => {
    const handle = opened as { sync(): Promise<void> }
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      const since = now()
      await sync()
      note({ kind: 'sync', file: text(name), since })
    }
  })
  syncBuiltinESMExports()
  return note
}

// Events of a recorded process's threads go to `recordDisk`.
if (!isMainThread && getEnvironmentData(name) !== undefined) {
  const channel = new BroadcastChannel(name)
  channel.unref()
  recordInto((event) => channel.postMessage(event))
}
