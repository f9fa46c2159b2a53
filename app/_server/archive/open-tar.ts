import { extract } from 'tar-stream'
import type { Bytes } from '@/importers/importer'
import { ImportError } from '@/lib/errors'
import { isNoise, refuseTarEntry, type ArchiveEntry } from '@/importers/carriers/archive-entry'
import { expansionLimits, tooManyEntries } from '@/importers/carriers/expansion-budget'
import type { StreamFaults } from '@/importers/carriers/unpacker'
import { createReaderWatch, feed } from './reader-watch'

/**
 * The files of a tar as it arrives. Read each before asking for the next; its unread rest is skipped. A truncated
 * tar ends with the file it breaks off in, and `faults` says so. Throws ImportError for what is not a tar, and
 * ExpansionError.
 */
export async function* openTar(bytes: Bytes, faults: StreamFaults): AsyncGenerator<ArchiveEntry> {
  const tar = extract()
  const reader = createReaderWatch()
  const source = feed(bytes, tar, reader)
  const entries = tar[Symbol.asyncIterator]()
  const state = { isTruncated: false }
  let count = 0
  try {
    for (;;) {
      const next = await reader.watch(entries.next())
      if (next.done === true) return
      count += 1
      if (count > expansionLimits.entries) throw tooManyEntries(null)
      const { name, type } = next.value.header
      const refused = refuseTarEntry(name, type ?? 'file')
      if (type === 'directory' || isNoise(name)) next.value.resume()
      else if (refused !== null) {
        next.value.resume()
        yield { kind: 'refused', name, error: refused }
      } else {
        const content = readBytes(next.value)
        yield { kind: 'file', name, bytes: readEntry(content) }
        for (let rest = await read(content); rest.done !== true; rest = await read(content)) continue
        if (state.isTruncated) return
      }
    }
  } catch (error) {
    if (source.error !== null) throw source.error
    if (isTruncated(error)) return void (faults.isTruncated = true)
    if (error instanceof ImportError) throw error
    const what = String(error instanceof Error ? error.message : error)
    const hint = 'Check it with "tar -tf FILE" and send it again.'
    throw new ImportError('malformed', `the tar file is damaged (${what})`, { hint })
  } finally {
    reader.stop()
    tar.destroy()
  }

  async function read(content: AsyncIterator<Uint8Array, undefined>): Promise<IteratorResult<Uint8Array, undefined>> {
    if (state.isTruncated) return { done: true, value: undefined }
    try {
      return await reader.watch(content.next())
    } catch (error) {
      if (source.error !== null) throw source.error
      if (!isTruncated(error)) throw error
      state.isTruncated = faults.isTruncated = true
      return { done: true, value: undefined }
    }
  }

  async function* readEntry(content: AsyncIterator<Uint8Array, undefined>): AsyncGenerator<Uint8Array> {
    for (let next = await read(content); next.done !== true; next = await read(content)) yield next.value
  }
}

function isTruncated(error: unknown): boolean {
  return error instanceof Error && /Unexpected end of data|Writable stream closed prematurely/.test(error.message)
}

/** A tar entry as bytes: its stream is typed as anything. */
async function* readBytes(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk
}
