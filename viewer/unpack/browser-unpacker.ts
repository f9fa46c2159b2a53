import type { Unpacker } from '@/importers/carriers/unpacker'
import { expandGzip } from './expand-gzip'
import { readTar } from './read-tar'
import { readZip } from './read-zip'

/** Unpacks a file in a browser. */
export const browserUnpacker = (file: Blob): Unpacker => ({
  readsZstd: false,
  expand: expandGzip,
  openTar: readTar,
  openZip: (budget) => readZip(file, budget),
})
