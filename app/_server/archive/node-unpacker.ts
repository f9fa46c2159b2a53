import type { Unpacker } from '@/importers/carriers/unpacker'
import { expand, readsZstd } from './open-gzip'
import type { StoredBytes } from './open-zip'

/** Unpacks an upload in Node; `stored` is called for a zip, once all of its bytes are there. */
export const nodeUnpacker = (stored: () => Promise<StoredBytes>): Unpacker => ({
  readsZstd,
  expand,
  // Most uploads are no archive: what reads one is loaded when it is met.
  async *openTar(bytes, faults) {
    const { openTar } = await import('./open-tar')
    yield* openTar(bytes, faults)
  },
  async *openZip(budget) {
    const { openZip } = await import('./open-zip')
    yield* openZip(await stored(), budget)
  },
})
