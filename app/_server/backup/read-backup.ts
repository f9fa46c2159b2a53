import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { extract } from 'tar-stream'
import { InvalidInputError } from '@/lib/errors'
import { plural } from '@/lib/format'
import { isRaw, manifestSchema, rawEntry, type Manifest } from './manifest'

interface BackupEntry {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** The entries of a backup, in order; read each before the next. */
export async function* readEntries(file: string): AsyncGenerator<BackupEntry> {
  const tar = extract()
  let failure: Error | null = null
  pipeline(createReadStream(file), tar, (error) => (failure = error ?? null))
  for await (const entry of tar) {
    yield { name: entry.header.name, bytes: entry as AsyncIterable<Uint8Array> }
    entry.resume()
  }
  if (failure !== null) throw failure as Error
}

export async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

class DamagedError extends InvalidInputError {
  constructor(file: string, what: string) {
    super(`${file} is damaged: ${what}.`)
  }
}

/** Reads a backup from end to end. Throws InvalidInputError when it is truncated, changed anywhere, or not a backup. */
export async function verifyBackup(file: string): Promise<Manifest> {
  const found: Record<string, string> = {}
  let rawFiles = 0
  let manifest: Manifest | null = null
  try {
    for await (const { name, bytes } of readEntries(file)) {
      if (name === 'manifest.json') {
        manifest = manifestSchema.parse(JSON.parse(await textOf(bytes)))
        continue
      }
      const hash = createHash('sha256')
      for await (const chunk of bytes) hash.update(chunk)
      const sha256 = hash.digest('hex')
      if (!isRaw(name)) found[name] = sha256
      else if (name === rawEntry(sha256)) rawFiles += 1
      else throw new DamagedError(file, `${name} is not what was written`)
    }
  } catch (error) {
    if (error instanceof DamagedError) throw error
    throw new InvalidInputError(
      `${file} cannot be read as a backup: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (manifest === null)
    throw new InvalidInputError(`${file} is truncated or not a backup: it does not end with a manifest.`)
  for (const [name, sha256] of Object.entries(manifest.entries))
    if (found[name] !== sha256) throw new DamagedError(file, `${name} is not what was written`)
  const others = Object.keys(found).filter((name) => !(name in (manifest?.entries ?? {})))
  if (others.length > 0) throw new DamagedError(file, `it has the entry ${others[0]}, which is not of it`)
  if (rawFiles !== manifest.rawFiles)
    throw new DamagedError(file, `it has ${rawFiles} of ${plural(manifest.rawFiles, 'raw file')}`)
  return manifest
}
