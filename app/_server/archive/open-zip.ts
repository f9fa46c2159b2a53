import { Readable } from 'node:stream'

import { fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import type { Bytes } from '@/importers/importer'
import { ImportError } from '@/lib/errors'
import { isNoise, refuseName, refuseType, type ArchiveEntry } from '@/importers/carriers/archive-entry'
import { crc32 } from './crc32'
import {
  ExpansionError,
  expansionLimits,
  tooManyEntries,
  type ExpansionBudget,
} from '@/importers/carriers/expansion-budget'

/** Bytes that are complete and can be read at any position: a file on its way into the store, or in it. */
export interface StoredBytes {
  readonly sizeBytes: number
  /** From `start` (0-based) to before `end`. */
  read(start: number, end: number): Readable
}

/** A stored file as yauzl needs it. */
class StoredReader extends RandomAccessReader {
  constructor(private readonly stored: StoredBytes) {
    super()
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return this.stored.read(start, end)
  }
}

/** The files of a zip in the order of its directory. Throws ImportError for what is not a whole zip, ExpansionError. */
export async function* openZip(stored: StoredBytes, budget: ExpansionBudget): AsyncGenerator<ArchiveEntry> {
  const zip = await openDirectory(stored)
  try {
    if (zip.entryCount > expansionLimits.entries) throw tooManyEntries(zip.entryCount)
    const entries = await readDirectory(zip)
    for (const entry of entries) {
      const name = nameOf(entry)
      if (isNoise(name)) continue
      const error = refuseEntry(entry, name)
      if (error !== null) yield { kind: 'refused', name, error }
      else yield { kind: 'file', name, bytes: readEntry(zip, entry, budget) }
    }
  } finally {
    zip.close()
  }
}

const hint = 'Check it with "unzip -t FILE" and send it again.'

async function openDirectory(stored: StoredBytes): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true }
  try {
    return await fromRandomAccessReaderPromise(new StoredReader(stored), stored.sizeBytes, options)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (/end of central directory|too short|EOF/i.test(message))
      throw new ImportError('truncated', 'the zip file is truncated: its directory, at the end, is missing', {
        hint: 'Send the whole file.',
      })
    throw new ImportError('malformed', `the zip file is damaged (${message})`, { hint })
  }
}

/** All entries, at most 1,000. Entries that share bytes are a bomb: no tool writes them. */
async function readDirectory(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry)
  } catch (error) {
    throw new ImportError(
      'malformed',
      `the zip file is damaged (${error instanceof Error ? error.message : String(error)})`,
      {
        hint,
      },
    )
  }
  const byPlace = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  let end = 0
  for (const entry of byPlace) {
    if (entry.relativeOffsetOfLocalHeader < end)
      throw new ExpansionError('malformed', 'files in the zip share the same bytes, as in a zip bomb', { hint })
    end = entry.relativeOffsetOfLocalHeader + 30 + entry.compressedSize
  }
  return entries
}

function nameOf(entry: Entry): string {
  return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
}

function refuseEntry(entry: Entry, name: string): ImportError | null {
  const unixType = (entry.externalFileAttributes >>> 16) & 0o170000
  if (unixType === 0o120000) return refuseType('a symbolic link')
  if (unixType !== 0 && unixType !== 0o100000) return refuseType('a device')
  if (entry.isEncrypted())
    return new ImportError('unknown-format', 'it is encrypted', {
      hint: 'Unpack it with its password and upload its content.',
    })
  if (!entry.canDecodeFileData())
    return new ImportError(
      'unknown-format',
      `it uses compression method ${entry.compressionMethod}, which is not read`,
      {
        hint: 'Unpack it (unzip FILE) and upload its content.',
      },
    )
  return refuseName(name)
}

/** The expanded bytes of an entry, counted and checked. Throws ImportError `malformed`, ExpansionError. */
async function* readEntry(zip: ZipFile, entry: Entry, budget: ExpansionBudget): Bytes {
  let expandedBytes = 0
  let checksum = 0
  const packedBytes = entry.compressedSize
  try {
    const stream: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream) {
      expandedBytes += chunk.byteLength
      budget.spend(chunk.byteLength, { packedBytes, expandedBytes })
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ImportError) throw error
    throw new ImportError('malformed', `it is damaged (${error instanceof Error ? error.message : String(error)})`, {
      hint,
    })
  }
  if (checksum !== entry.crc32) throw new ImportError('malformed', 'it is damaged (its checksum is wrong)', { hint })
}
