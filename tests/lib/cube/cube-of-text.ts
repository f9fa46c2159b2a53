import { importFile } from '@/importers'
import type { Cube } from '@/lib/cube/cube'
import type { Wanted } from '@/importers/rows/wanted'

/** The cube of a file's only run. */
export async function cubeOfText(text: string | Uint8Array, wanted: Wanted = {}): Promise<Cube> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const { beside } = await importFile(chunksOf(bytes), null, { ...wanted, cube: true })
  const cube = beside?.[0]?.cube
  if (cube === undefined) throw new Error('the file has no rows')
  return cube
}

/** In chunks, as they come from a disk. */

export async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
