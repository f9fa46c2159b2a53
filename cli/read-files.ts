import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { nodeUnpacker } from '@/app/_server/archive/node-unpacker'
import type { StoredBytes } from '@/app/_server/archive/open-zip'
import { storedFile } from '@/app/_server/store/folder-store'
import { readUpload } from '@/importers/carriers/read-upload'
import type { Wanted } from '@/importers/rows/wanted'
import { ImportError } from '@/lib/errors'
import type { LocalFile } from '@/lib/files/local-runs'
import type { ImportedFile } from '@/lib/run/run'
import type { Input } from './inputs'
import { watchProgress } from './progress'
import type { Terminal } from './terminal'

/** What was read of a file, or why nothing was. */
export interface ReadFile extends LocalFile {
  readonly input: Input
  /** Why nothing could be read; null: something was. */
  readonly error: ImportError | UnreadableError | null
}

/** The system did not give the bytes of a file. */
export class UnreadableError extends Error {}

const nothing: ImportedFile = { encoding: null, lineCount: null, runs: [], problems: [], cellNotes: [] }

/**
 * Reads a file as the server reads an upload. `onChunk` gets all of its bytes, including those after the results;
 * `wanted`: what is asked for beside runs.
 */
export async function readInput(
  input: Input,
  terminal: Terminal,
  onChunk: (chunk: Uint8Array) => void = () => undefined,
  wanted?: Wanted,
): Promise<ReadFile> {
  const progress = await watchProgress(input, terminal)
  const source = input.path === null ? stdinSource(terminal.stdin) : fileSource(input.path)
  const next = async () => {
    const result = await source.chunks.next()
    if (result.done !== true) {
      onChunk(result.value)
      progress.add(result.value.length)
    }
    return result
  }
  try {
    const writtenAt = input.path === null ? new Date() : (await stat(input.path)).mtime
    const { file, error } = await importOrExplain({ [Symbol.asyncIterator]: () => ({ next }) }, source.stored, wanted)
    // The importer may stop before the end.
    while ((await next()).done !== true) continue
    return { input, writtenAt, file, error }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    return { input, writtenAt: new Date(), file: nothing, error: new UnreadableError(error.message) }
  } finally {
    progress.end()
  }
}

async function importOrExplain(
  bytes: AsyncIterable<Uint8Array>,
  stored: () => Promise<StoredBytes>,
  wanted: Wanted | undefined,
): Promise<Pick<ReadFile, 'file' | 'error'>> {
  try {
    return { file: await readUpload(bytes, nodeUnpacker(stored), null, wanted), error: null }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    return { file: nothing, error }
  }
}

/** Bytes as they come, and all of them once they have. */
interface Source {
  readonly chunks: AsyncIterator<Uint8Array>
  stored(): Promise<StoredBytes>
}

function fileSource(file: string): Source {
  async function* read(): AsyncGenerator<Uint8Array> {
    const stream: AsyncIterable<Uint8Array> = createReadStream(file)
    yield* stream
  }
  return { chunks: read(), stored: async () => storedFile(file, (await stat(file)).size) }
}

/** A zip is read from its end: only of one are the bytes of a pipe kept. */
function stdinSource(stdin: Readable): Source {
  const kept: Buffer[] = []
  async function* read(): AsyncGenerator<Uint8Array> {
    let isZip: boolean | null = null
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      isZip ??= chunk[0] === 0x50
      if (isZip) kept.push(chunk)
      yield chunk
    }
  }
  const stored = () => {
    const all = Buffer.concat(kept)
    const range = (start: number, end: number) => Readable.from([all.subarray(start, end)], { objectMode: false })
    return Promise.resolve({ sizeBytes: all.length, read: range })
  }
  return { chunks: read(), stored }
}

/** Files without those of a folder that hold no results beside others that do: a README, a log. */
export function withoutOthers(files: readonly ReadFile[]): readonly ReadFile[] {
  const isNone = ({ input: { folder }, error }: ReadFile) =>
    folder !== null && error instanceof ImportError && (error.code === 'unknown-format' || error.code === 'empty')
  const found = files.filter((one) => !isNone(one))
  const folders = new Set(found.map(({ input }) => input.folder))
  // A folder without any result is reported by its first file.
  const first = new Map(files.map((one) => [one.input.folder, one] as const).reverse())
  return files.filter((one) => !isNone(one) || (!folders.has(one.input.folder) && first.get(one.input.folder) === one))
}
