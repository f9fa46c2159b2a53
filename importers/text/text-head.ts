import { detectEncoding } from './bytes'
import { ImportError } from '../../lib/errors'

/** The first characters of a file, for `detect`: without byte order mark; empty if it is not text. */
export function decodeHead(head: Uint8Array, bytes: number): string {
  try {
    const { encoding, bomBytes } = detectEncoding(head)
    return new TextDecoder(encoding).decode(head.subarray(bomBytes, bomBytes + bytes))
  } catch (error) {
    if (error instanceof ImportError) return ''
    throw error
  }
}
