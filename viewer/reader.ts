import { readUpload } from '@/importers/carriers/read-upload'
import { errorLine, errorSentence } from '@/lib/error-words'
import { ImportError } from '@/lib/errors'
import type { ImportedFile } from '@/lib/run/run'
import { browserUnpacker } from './unpack/browser-unpacker'

/** Runs that one page shows. */
export const maxShownRuns = 400

/** A file for the reader. */
export interface ToRead {
  readonly id: number
  readonly file: Blob
}

/** What the reader says of it: how far it is, and at the end what it read, or why it cannot be read. */
export type Said =
  | { readonly id: number; readonly kind: 'progress'; readonly readBytes: number }
  | { readonly id: number; readonly kind: 'read'; readonly file: ImportedFile; readonly runCount: number }
  | { readonly id: number; readonly kind: 'failed'; readonly sentence: string; readonly isNoResult: boolean }

const progressBytes = 4 * 1024 * 1024

/** Reads a file as the server reads an upload. */
export async function readOne({ id, file }: ToRead, say: (said: Said) => void): Promise<void> {
  try {
    const read = await readUpload(bytesOf(file, id, say), browserUnpacker(file))
    say({ id, kind: 'read', runCount: read.runs.length, file: { ...read, runs: read.runs.slice(0, maxShownRuns) } })
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const isNoResult = error.code === 'unknown-format' || error.code === 'empty'
    say({ id, kind: 'failed', isNoResult, sentence: errorLine(errorSentence(error.message), error, [error.hint]) })
  }
}

async function* bytesOf(file: Blob, id: number, say: (said: Said) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  let saidBytes = 0
  let readBytes = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    readBytes += next.value.length
    if (readBytes - saidBytes >= progressBytes) {
      saidBytes = readBytes
      say({ id, kind: 'progress', readBytes })
    }
    yield next.value
  }
}
