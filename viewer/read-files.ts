import type { ImportedFile } from '@/lib/run/run'
import type { Said, ToRead } from './reader'

/** Beyond it, the command line reads in less memory. */
const maxFileBytes = 500 * 1024 ** 2

/** A file of the page. */
export interface ViewedFile {
  readonly id: number
  /** With the folder that was dropped, if one was. */
  readonly name: string
  readonly sizeBytes: number
  readonly writtenAt: Date
  readonly state:
    | { readonly kind: 'reading'; readonly readBytes: number }
    | { readonly kind: 'read'; readonly file: ImportedFile; readonly runCount: number; readonly tookMs: number }
    | { readonly kind: 'failed'; readonly sentence: string }
}

type Finish = (state: ViewedFile['state']) => void
interface Waiting {
  readonly file: ViewedFile
  readonly bytes: Blob
  readonly onState: Finish
}

/**
 * Reads files one after the other in a thread of its own. A thread that dies is said of its file, and a new one goes on.
 */
export function createReader(makeWorker: () => Worker) {
  const waiting: Waiting[] = []
  let worker: Worker | null = null
  let startedMs = 0
  const next = () => {
    const [first] = waiting
    if (first === undefined) return
    worker ??= start()
    startedMs = performance.now()
    worker.postMessage({ id: first.file.id, file: first.bytes } satisfies ToRead)
  }
  const finish = (state: ViewedFile['state']) => {
    waiting.shift()?.onState(state)
    next()
  }
  const start = (): Worker => {
    const started = makeWorker()
    started.onmessage = ({ data }: MessageEvent<Said>) => {
      const [first] = waiting
      if (first?.file.id !== data.id) return
      if (data.kind === 'progress') first.onState({ kind: 'reading', readBytes: data.readBytes })
      else if (data.kind === 'failed') finish({ kind: 'failed', sentence: data.sentence })
      else
        finish({
          ...{ kind: 'read', file: data.file, runCount: data.runCount },
          tookMs: performance.now() - startedMs,
        })
    }
    started.onerror = (event) => {
      event.preventDefault()
      started.terminate()
      worker = null
      finish({ kind: 'failed', sentence: endedWords(waiting[0]?.file.name ?? '') })
    }
    return started
  }
  return {
    read(file: ViewedFile, bytes: Blob, onState: Finish): void {
      if (file.sizeBytes > maxFileBytes) return onState({ kind: 'failed', sentence: tooLargeWords(file.name) })
      waiting.push({ file, bytes, onState })
      if (waiting.length === 1) next()
    },
  }
}

const tooLargeWords = (name: string) =>
  `This file is larger than 500 MB. The command line reads it: tailboard show ${name}`
const endedWords = (name: string) =>
  `The reader ended while it read this file. What was read before stays. The command line may read it: tailboard show ${name}`
