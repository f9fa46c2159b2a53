import { detectEncoding } from './bytes'
import { ImportError } from '../../lib/errors'

/** Dozens of importers look at the same head. Null: it is not text. */
const encodings = new WeakMap<Uint8Array, ReturnType<typeof detectEncoding> | null>()

/** The first characters of a file, for `detect`: without byte order mark; empty if it is not text. */
export function decodeHead(head: Uint8Array, bytes: number): string {
  if (!encodings.has(head)) encodings.set(head, findEncoding(head))
  const found = encodings.get(head) ?? null
  if (found === null) return ''
  const { encoding, bomBytes } = found
  return new TextDecoder(encoding).decode(head.subarray(bomBytes, bomBytes + bytes))
}

function findEncoding(head: Uint8Array): ReturnType<typeof detectEncoding> | null {
  try {
    return detectEncoding(head)
  } catch (error) {
    if (error instanceof ImportError) return null
    throw error
  }
}
