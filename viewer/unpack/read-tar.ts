import { isNoise, refuseTarEntry, type ArchiveEntry } from '@/importers/carriers/archive-entry'
import { expansionLimits, tooManyEntries } from '@/importers/carriers/expansion-budget'
import type { StreamFaults } from '@/importers/carriers/unpacker'
import type { Bytes } from '@/importers/importer'
import { ImportError } from '@/lib/errors'

const block = 512
const longestNames = 1024 * 1024
const damaged = (what: string) =>
  new ImportError('malformed', `the tar file is damaged (${what})`, {
    hint: 'Check it with "tar -tf FILE" and send it again.',
  })
const types: Readonly<Record<string, string>> = {
  ...{ '\0': 'file', '0': 'file', '1': 'link', '2': 'symlink', '3': 'character-device', '4': 'block-device' },
  ...{ '5': 'directory', '6': 'fifo', '7': 'contiguous-file', x: 'names', g: 'names of all', L: 'long name' },
}

/** The files of a tar as it arrives: what the `Unpacker` of a browser does for `openTar`. */
export async function* readTar(bytes: Bytes, faults: StreamFaults): AsyncGenerator<ArchiveEntry> {
  const source = createSource(bytes)
  let count = 0
  let longName: string | null = null
  for (;;) {
    const head = await source.take(block)
    if (head.length < block) {
      if (head.length > 0) faults.isTruncated = true
      return
    }
    const entry = readHead(head)
    if (entry === null) continue
    const { type, sizeBytes } = entry
    const padding = (block - (sizeBytes % block)) % block
    if (type === 'names' || type === 'names of all' || type === 'long name') {
      if (sizeBytes > longestNames) throw damaged('a name is longer than 1 MB')
      const content = await source.take(sizeBytes)
      await source.take(padding)
      const text = new TextDecoder().decode(content)
      if (type === 'long name') longName = text.replace(/\0.*$/s, '')
      else if (type === 'names') longName = pathOf(text) ?? longName
      continue
    }
    const name: string = longName ?? entry.name
    longName = null
    count += 1
    if (count > expansionLimits.entries) throw tooManyEntries(null)
    const content = source.pieces(sizeBytes, () => void (faults.isTruncated = true))
    const refused = refuseTarEntry(name, type)
    if (type !== 'directory' && !isNoise(name))
      yield refused === null ? { kind: 'file', name, bytes: content } : { kind: 'refused', name, error: refused }
    for await (const _piece of content) continue
    if (faults.isTruncated) return
    await source.take(padding)
  }
}

interface Head {
  readonly name: string
  readonly type: string
  readonly sizeBytes: number
}

/** Null: a block of zeros. Throws ImportError for what is no head. */
function readHead(head: Uint8Array): Head | null {
  let sum = 8 * 0x20
  for (let at = 0; at < block; at += 1) if (at < 148 || at >= 156) sum += head[at] ?? 0
  if (sum === 8 * 0x20) return null
  if (sum !== octal(head.subarray(148, 156)))
    throw damaged('Invalid tar header. Maybe the tar is corrupted or it needs to be gunzipped?')
  const name = text(head.subarray(0, 100))
  const prefix = text(head.subarray(257, 262)) === 'ustar' ? text(head.subarray(345, 500)) : ''
  const letter = String.fromCharCode(head[156] ?? 0)
  const type = types[letter] ?? letter
  return {
    name: prefix === '' || type === 'long name' ? name : `${prefix}/${name}`,
    type: type === 'file' && name.endsWith('/') ? 'directory' : type,
    sizeBytes: size(head.subarray(124, 136)),
  }
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/\0.*$/s, '')
const octal = (bytes: Uint8Array): number => Number.parseInt(text(bytes).trim() || '0', 8)

/** Beyond 8 GB it is binary. */
function size(field: Uint8Array): number {
  if (((field[0] ?? 0) & 0x80) === 0) return octal(field) || 0
  return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0)
}

/** `path` of a block of names (`27 path=a/b.txt`); null: it has none. */
function pathOf(names: string): string | null {
  return /^\d{1,9} path=([^\n]*)$/m.exec(names)?.[1] ?? null
}

/** Bytes in pieces of the wanted size, however they arrive. */
function createSource(bytes: Bytes) {
  const chunks = bytes[Symbol.asyncIterator]()
  let held = new Uint8Array(0)
  const more = async (): Promise<boolean> => {
    if (held.length > 0) return true
    const next = await chunks.next()
    if (next.done === true) return false
    held = new Uint8Array(next.value)
    return held.length > 0 || more()
  }
  async function* pieces(count: number, onEnd: () => void): AsyncGenerator<Uint8Array> {
    for (let missing = count; missing > 0;) {
      if (!(await more())) return onEnd()
      const piece = held.subarray(0, missing)
      held = held.subarray(piece.length)
      missing -= piece.length
      yield piece
    }
  }
  return {
    pieces,
    /** Fewer at the end. */
    async take(count: number): Promise<Uint8Array> {
      const taken = new Uint8Array(count)
      let length = 0
      for await (const piece of pieces(count, () => undefined)) {
        taken.set(piece, length)
        length += piece.length
      }
      return taken.subarray(0, length)
    },
  }
}
