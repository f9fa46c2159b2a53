import { isUtf8 } from 'node:buffer'
import { readHead } from '@/importers/text/bytes'
import { storedForm } from '@/importers/index'
import type { Bytes } from '@/importers/importer'
import type { ImportedFile, ImportProblem } from '@/lib/run/run'
import { infoAt } from '@/importers/import-problem'
import { maskedCode, maskedWords, maskSecrets, maskTexts } from '@/lib/secrets'
import { carrierHeadBytes, findCarrier } from '@/importers/carriers/carrier-kind'

const headBytes = Math.max(65_536, carrierHeadBytes)
const longestLineBytes = 1024 * 1024

/** The stored form of an upload. */
export interface StoredBytes {
  readonly bytes: Bytes
  /** They are unchanged from the bytes that were sent. */
  readonly isAsSent: boolean
}

/**
 * The bytes of an upload with the secrets of a text masked, line by line, in flat memory; packed files and raw results
 * pass unchanged. Adds what was masked to `found`.
 */
export async function maskUpload(bytes: Bytes, found: string[]): Promise<StoredBytes> {
  const { head, bytes: whole } = await readHead(bytes, headBytes)
  const form = head.includes(0) || findCarrier(head) !== 'plain' ? 'rows' : storedForm(head)
  return form === 'rows' ? { bytes: whole, isAsSent: true } : { bytes: maskLines(form(whole), found), isAsSent: false }
}

async function* maskLines(bytes: Bytes, found: string[]): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0)
  for await (const chunk of bytes) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = all.length > longestLineBytes ? all.length : endOfLines(all)
    rest = all.subarray(end)
    if (end > 0) yield maskBytes(all.subarray(0, end), found)
  }
  if (rest.length > 0) yield maskBytes(rest, found)
}

/** The end of the last whole line; a line that begins a header or a body stays with the next, which identifies it. */
function endOfLines(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(0x0a) + 1
  const start = end < 2 ? 0 : bytes.lastIndexOf(0x0a, end - 2) + 1
  const line = Buffer.from(bytes.subarray(start, Math.min(end, start + 200))).toString('latin1')
  return /^\s{0,80}"(?:key|body)"\s{0,20}:/.test(line) ? start : end
}

/** Masks whole lines; text that is not UTF-8 is taken byte by byte, so that nothing else changes. */
function maskBytes(bytes: Uint8Array, found: string[]): Uint8Array {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  const masked = maskSecrets(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding))
  if (masked.found.length === 0) return bytes
  found.push(...masked.found)
  return Buffer.from(masked.text, encoding)
}

/** Masks every text in what was read, in place: commands, addresses, errors, notes. Histogram payloads hold none. */
export function maskFile(file: ImportedFile, found: string[]): void {
  maskTexts(file, found)
}

/** A copy in which the secrets that its sender chose to keep are masked: strangers do not see them, its owner does. */
export function maskedForStrangers<Shown extends object>(shown: Shown): Shown {
  const copy = structuredClone(shown)
  maskTexts(copy, [])
  return copy
}

/** The preview's note about masking; none when nothing was masked. `inBytes`: the stored file is masked, too. */
export function maskedProblem(found: readonly string[], inBytes: boolean): readonly ImportProblem[] {
  if (found.length === 0) return []
  return [
    infoAt(
      maskedCode,
      null,
      inBytes
        ? `a likely secret was masked before anything was stored: ${maskedWords(found)}`
        : `a likely secret was masked in everything that was read; the file itself is stored unchanged: ${maskedWords(found)}`,
      'To keep it, upload the file again with keepSecrets=1; the choice also applies when the file is imported again.',
    ),
  ]
}
