import { closeSync, openSync, readSync } from 'node:fs'

/** Chunks of 1 MiB in one buffer, each overwriting the last: importers keep no chunk. */
export async function* readInPlace(file: string): AsyncGenerator<Uint8Array> {
  const descriptor = openSync(file, 'r')
  const buffer = Buffer.allocUnsafeSlow(1 << 20)
  try {
    for (let size = readSync(descriptor, buffer); size > 0; size = readSync(descriptor, buffer))
      yield buffer.subarray(0, size)
  } finally {
    closeSync(descriptor)
  }
}

/** The first 64 KiB. */
export function readStart(file: string): Uint8Array {
  const descriptor = openSync(file, 'r')
  const buffer = Buffer.alloc(65_536)
  const size = readSync(descriptor, buffer)
  closeSync(descriptor)
  return buffer.subarray(0, size)
}
