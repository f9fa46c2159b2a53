import { ImportError } from '../../lib/errors'

/**
 * Unpacks gzip in base64, piece by piece.
 * @throws ImportError `malformed` for invalid or damaged gzip, `too-large` when it holds more than `maxBytes`.
 */
export async function* gunzipBase64(base64: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream('gzip')
  const writer = stream.writable.getWriter()
  // Errors surface on the readable side.
  void writer.write(decode(base64)).catch(() => undefined)
  void writer.close().catch(() => undefined)
  const reader = stream.readable.getReader()
  let size = 0
  for (;;) {
    const next = await reader.read().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'unknown'
      throw new ImportError('malformed', `a gzipped payload is damaged: ${reason}`, { hint: null })
    })
    if (next.done) return
    size += next.value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw new ImportError('too-large', `a gzipped payload holds more than ${maxBytes / 2 ** 20} MiB`, {
        hint: 'Unpack it and upload what is in it.',
      })
    }
    yield next.value
  }
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const plain = base64.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain) || (plain.endsWith('=') ? plain.length % 4 !== 0 : plain.length % 4 === 1))
    throw new ImportError('malformed', 'a gzipped payload is not base64', { hint: null })
  return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0))
}
