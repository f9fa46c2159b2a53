import type { ImportedFile } from '@/lib/run/run'
import type { Said, ToRead } from './reader'

/** Beyond it, the command line reads in less memory. */
const maxFileBytes = 500 * 1024 ** 2

/** A file of the page. */
export interface ViewedFile {
  readonly id: number
  /** With the folder that was dropped, if one was. */
  readonly name: string
  /** Null: it is a folder, of which something is to be said. */
  readonly bytes: File | null
  readonly folder: string | null
  readonly state:
    | { readonly kind: 'reading'; readonly readBytes: number }
    | { readonly kind: 'read'; readonly file: ImportedFile; readonly runCount: number; readonly tookMs: number }
    | {
        readonly kind: 'failed'
        readonly sentence: string
        /** It is text without results, as a README is. */
        readonly isNoResult: boolean
      }
}

type Finish = (state: ViewedFile['state']) => void
interface Waiting {
  readonly file: ViewedFile
  readonly bytes: File
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
      else if (data.kind === 'failed') finish({ kind: 'failed', sentence: data.sentence, isNoResult: data.isNoResult })
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
      finish(failed(endedWords(waiting[0]?.file.name ?? '')))
    }
    return started
  }
  return {
    read(file: ViewedFile, onState: Finish): void {
      const { bytes } = file
      if (bytes === null) return
      if (bytes.size > maxFileBytes) return onState(failed(tooLargeWords(file.name)))
      waiting.push({ file, bytes, onState })
      if (waiting.length === 1) next()
    },
  }
}

const failed = (sentence: string): ViewedFile['state'] => ({ kind: 'failed', sentence, isNoResult: false })
const tooLargeWords = (name: string) =>
  `This file is larger than 500 MB. The command line reads it: tailboard show ${name}`
const endedWords = (name: string) =>
  `The reader ended while it read this file. What was read before stays. The command line may read it: tailboard show ${name}`
