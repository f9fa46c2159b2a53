import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'

/** Files by name, as a tar in this order. */
export async function tarOf(files: Readonly<Record<string, string>>): Promise<Buffer<ArrayBuffer>> {
  const tar = pack()
  for (const [name, text] of Object.entries(files)) tar.entry({ name, mtime: new Date(0) }, text)
  tar.finalize()
  return Buffer.from(await buffer(tar))
}
