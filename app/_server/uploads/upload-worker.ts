/** Reads uploads, one after the other, in a thread of its own. */
import { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { ImportError } from '@/lib/errors'
import type { Cube } from '@/lib/cube/cube'
import { maskedCube } from '@/lib/cube/masked-cube'
import { explainBox } from '@/lib/explain/explain-box'
import { scatterOf } from '@/lib/explain/scatter'
import { encodeCube } from '@/lib/history/cube-codec'
import type { ImportedRun, RunBeside } from '@/lib/run/run'
import { nodeUnpacker } from '../archive/node-unpacker'
import type { StoredBytes } from '../archive/open-zip'
import { maskFile } from './mask-upload'
import { readUpload } from '@/importers/carriers/read-upload'
import type { AskedBox, FeedId, FromWorker, ReadBox, ToWorker } from './worker-messages'

if (parentPort === null) throw new Error('This file is the thread that reads uploads.')
const port = parentPort
const say = (message: FromWorker) => port.postMessage(message)

/** Chunks requested ahead: the server reads them while earlier ones are read here. */
const chunksAhead = 8
/** Runs in one message: more would hold up the server while it unpacks them. */
const runsAtOnce = 50

/** Bytes that come from the server. */
class Feed {
  private readonly chunks: Uint8Array[] = []
  private state: 'open' | 'ended' | 'broken' = 'open'
  private wake: () => void = () => undefined

  constructor(private readonly id: FeedId) {}

  take(message: ToWorker): void {
    if (message.kind === 'chunk') this.chunks.push(message.bytes)
    else this.state = message.kind === 'end' ? 'ended' : 'broken'
    this.wake()
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (let ahead = 0; ahead < chunksAhead; ahead++) say({ kind: 'want', feed: this.id })
    try {
      for (;;) {
        const chunk = this.chunks.shift()
        if (chunk !== undefined) {
          say({ kind: 'want', feed: this.id })
          yield chunk
        } else if (this.state === 'ended') return
        else if (this.state === 'broken') throw new Error('The bytes broke off.')
        else await new Promise<void>((resolve) => (this.wake = resolve))
      }
    } finally {
      feeds.delete(this.id)
      say({ kind: 'close', feed: this.id })
    }
  }
}

const feeds = new Map<FeedId, Feed>()
let ranges = 0
let onStored: (stored: StoredBytes) => void = () => undefined
let onTaken: () => void = () => undefined

function openFeed(id: FeedId): Feed {
  const feed = new Feed(id)
  feeds.set(id, feed)
  return feed
}

const storedOf = (sizeBytes: number): StoredBytes => ({
  sizeBytes,
  read(start, end) {
    const id = `range ${(ranges += 1)}`
    say({ kind: 'open', feed: id, start, end })
    return Readable.from(openFeed(id).read(), { objectMode: false })
  },
})

port.on('message', (message: ToWorker) => {
  if (message.kind === 'read') void read(message)
  else if (message.kind === 'stored') onStored(storedOf(message.sizeBytes))
  else if (message.kind === 'taken') onTaken()
  else feeds.get(message.feed)?.take(message)
})

async function read({ feed, masks, mapping, counts, box }: Extract<ToWorker, { kind: 'read' }>): Promise<void> {
  const wanted = box !== null ? { box } : counts ? { cube: true } : undefined
  try {
    const {
      beside = [],
      runs,
      ...rest
    } = await readUpload(openFeed(feed).read(), nodeUnpacker(askForStored), mapping, wanted)
    const masked: string[] = []
    if (box === null) {
      if (masks) maskFile({ ...rest, runs }, masked)
      await handOver(runs, await encodedCubes(beside, masks))
    }
    say({
      ...{ kind: 'done', masked, heapBytes: getHeapStatistics().used_heap_size },
      file: box === null ? rest : { ...rest, problems: [], cellNotes: [] },
      box: box === null ? null : readBox(beside[box.index] ?? null, box, masks),
    })
  } catch (error) {
    if (error instanceof ImportError) {
      const { code, message, line, offset, hint } = error
      say({
        kind: 'refused',
        error: { code, message, line, offset, hint },
        heapBytes: getHeapStatistics().used_heap_size,
      })
    } else {
      const stack = error instanceof Error ? (error.stack ?? null) : null
      say({ kind: 'failed', message: String(error), stack })
    }
  }
}

function askForStored(): Promise<StoredBytes> {
  say({ kind: 'store' })
  return new Promise((resolve) => (onStored = resolve))
}

function readBox(own: RunBeside | null, { of }: AskedBox, masks: boolean): ReadBox | null {
  if (own?.box === undefined || own.cube === undefined) return null
  const { inside, outside, originS } = own.box
  // Both sides name the same values: none is joined with the rest.
  const named = (cube: Cube) => (masks ? maskedCube(cube, Infinity) : cube)
  const answer = explainBox({ inside: named(inside), outside: named(outside) }, of, scatterOf(own.cube))
  return { answer, originS }
}

async function encodedCubes(beside: readonly (RunBeside | null)[], masks: boolean): Promise<(Uint8Array | null)[]> {
  const cubes: (Uint8Array | null)[] = []
  for (const one of beside) {
    const cube = one?.cube
    cubes.push(cube === undefined ? null : await encodeCube(masks ? maskedCube(cube) : cube))
  }
  return cubes
}

async function handOver(runs: readonly ImportedRun[], cubes: readonly (Uint8Array | null)[]): Promise<void> {
  for (let from = 0; from < runs.length; from += runsAtOnce) {
    const taken = new Promise<void>((resolve) => (onTaken = resolve))
    const until = from + runsAtOnce
    say({ kind: 'runs', runs: runs.slice(from, until), cubes: cubes.slice(from, until) })
    await taken
  }
}
