import type { Unpacker } from '@/importers/carriers/unpacker'
import { expand, readsZstd } from './open-gzip'
import { openTar } from './open-tar'
import { openZip, type StoredBytes } from './open-zip'

/** Unpacks an upload in Node; `stored` is called for a zip, once all of its bytes are there. */
export const nodeUnpacker = (stored: () => Promise<StoredBytes>): Unpacker => ({
  readsZstd,
  expand,
  openTar,
  async *openZip(budget) {
    yield* openZip(await stored(), budget)
  },
})
