import crc32 from 'pako/lib/zlib/crc32'
import { isNoise, refuseName, refuseType, type ArchiveEntry } from '@/importers/carriers/archive-entry'
import {
  ExpansionError,
  expansionLimits,
  tooManyEntries,
  type ExpansionBudget,
} from '@/importers/carriers/expansion-budget'
import type { Bytes } from '@/importers/importer'
import { ImportError } from '@/lib/errors'
import { createInflater, InflateError, windows } from './inflate'

const hint = 'Check it with "unzip -t FILE" and send it again.'
const endSize = 22
const longestComment = 0xffff
const pieceBytes = 1024 * 1024

interface ZipEntry {
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly expandedBytes: number
  readonly attributes: number
  /** Offset of its local head. */
  readonly at: number
}

/** The files of a zip in the order of its directory: what the `Unpacker` of a browser does for `openZip`. */
export async function* readZip(zip: Blob, budget: ExpansionBudget): AsyncGenerator<ArchiveEntry> {
  const entries = await readDirectory(zip)
  let end = 0
  for (const { at, packedBytes } of entries.toSorted((a, b) => a.at - b.at)) {
    if (at < end)
      throw new ExpansionError('malformed', 'files in the zip share the same bytes, as in a zip bomb', { hint })
    end = at + 30 + packedBytes
  }
  for (const entry of entries) {
    const { name } = entry
    if (isNoise(name)) continue
    const error = refuseEntry(entry)
    if (error !== null) yield { kind: 'refused', name, error }
    else yield { kind: 'file', name, bytes: readEntry(zip, entry, budget) }
  }
}

const viewOf = async (blob: Blob): Promise<DataView> => new DataView(await blob.arrayBuffer())
const damaged = (what: string) => new ImportError('malformed', `the zip file is damaged (${what})`, { hint })

async function readDirectory(zip: Blob): Promise<readonly ZipEntry[]> {
  const tailAt = Math.max(0, zip.size - endSize - longestComment)
  const tail = await viewOf(zip.slice(tailAt))
  let end = tail.byteLength - endSize
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end -= 1
  if (end < 0)
    throw new ImportError('truncated', 'the zip file is truncated: its directory, at the end, is missing', {
      hint: 'Send the whole file.',
    })
  const count = tail.getUint16(end + 10, true)
  const from = tail.getUint32(end + 16, true)
  if (count === 0xffff || from === 0xffffffff) throw damaged('zip64 is not read here')
  if (count > expansionLimits.entries) throw tooManyEntries(count)
  const view = await viewOf(zip.slice(from, tailAt + end))
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < count;) {
    if (at + 46 > view.byteLength) throw damaged('unexpected EOF')
    const signature = view.getUint32(at, true)
    if (signature !== 0x02014b50)
      throw damaged(`invalid central directory file header signature: 0x${signature.toString(16)}`)
    const [nameSize, extraSize, noteSize] = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    const next = at + 46 + (nameSize ?? 0)
    const name = new Uint8Array(view.buffer, at + 46, Math.min(nameSize ?? 0, view.byteLength - at - 46))
    entries.push({
      name: nameOf(name),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      expandedBytes: view.getUint32(at + 24, true),
      attributes: view.getUint32(at + 38, true),
      at: view.getUint32(at + 42, true),
    })
    at = next + (extraSize ?? 0) + (noteSize ?? 0)
  }
  return entries
}

/** Old names have the letters of DOS; those in use are letters, which are the same in both. */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

function refuseEntry({ attributes, flags, method, name }: ZipEntry): ImportError | null {
  const unixType = (attributes >>> 16) & 0o170000
  if (unixType === 0o120000) return refuseType('a symbolic link')
  if (unixType !== 0 && unixType !== 0o100000) return refuseType('a device')
  if ((flags & 1) !== 0)
    return new ImportError('unknown-format', 'it is encrypted', {
      hint: 'Unpack it with its password and upload its content.',
    })
  if (method !== 0 && method !== 8)
    return new ImportError('unknown-format', `it uses compression method ${method}, which is not read`, {
      hint: 'Unpack it (unzip FILE) and upload its content.',
    })
  return refuseName(name)
}

/** The expanded bytes of an entry, counted and checked. Throws ImportError `malformed`, ExpansionError. */
async function* readEntry(zip: Blob, entry: ZipEntry, budget: ExpansionBudget): Bytes {
  const { packedBytes } = entry
  let expandedBytes = 0
  let sum = 0
  try {
    for await (const part of partsOf(zip, entry)) {
      expandedBytes += part.length
      if (expandedBytes > entry.expandedBytes)
        throw new InflateError(
          `too many bytes in the stream. expected ${entry.expandedBytes}. got at least ${expandedBytes}`,
        )
      budget.spend(part.length, { packedBytes, expandedBytes })
      sum = crc32(sum, part, part.length, 0)
      yield part
    }
    if (expandedBytes < entry.expandedBytes)
      throw new InflateError(
        `not enough bytes in the stream. expected ${entry.expandedBytes}. got only ${expandedBytes}`,
      )
  } catch (error) {
    if (!(error instanceof InflateError)) throw error
    throw new ImportError('malformed', `it is damaged (${error.message})`, { hint })
  }
  if (sum >>> 0 !== entry.crc) throw new ImportError('malformed', 'it is damaged (its checksum is wrong)', { hint })
}

async function* partsOf(zip: Blob, { at, method, packedBytes }: ZipEntry): AsyncGenerator<Uint8Array> {
  const head = await viewOf(zip.slice(at, at + 30))
  if (head.byteLength < 30) throw new InflateError('unexpected EOF')
  const signature = head.getUint32(0, true)
  if (signature !== 0x04034b50)
    throw new InflateError(`invalid local file header signature: 0x${signature.toString(16)}`)
  const from = at + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const inflater = method === 0 ? null : createInflater(windows.raw)
  for (let start = from; start < from + packedBytes; start += pieceBytes) {
    const piece = new Uint8Array(await zip.slice(start, Math.min(start + pieceBytes, from + packedBytes)).arrayBuffer())
    if (inflater === null) yield piece
    else {
      const { parts, rest } = inflater.push(piece)
      yield* parts
      if (rest !== null) return
    }
  }
}
