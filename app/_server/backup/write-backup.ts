import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { dumpTables } from '@/prisma/queries/installation/dump-tables'
import { rawStore } from '../store/process-store'
import { rawEntry, type Manifest } from './manifest'

const sha256Bytes = 32

/**
 * The whole installation as a tar, while it is in use: the rows of all tables at one moment, then the raw files that
 * they name, the keys of the data folder, and last a manifest with a checksum of each entry. Memory holds 32 bytes for each raw file.
 */
export function writeBackup(dataFolder: string): Pack {
  const tar = pack()
  fill(tar, dataFolder).catch((error: unknown) =>
    tar.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return tar
}

async function fill(tar: Pack, dataFolder: string): Promise<void> {
  const entries: Record<string, string> = {}
  const add = async (name: string, bytes: Buffer) => {
    entries[name] = createHash('sha256').update(bytes).digest('hex')
    await written(tar, name, bytes)
  }
  const tables = dumpTables()
  let part = await tables.next()
  for (let number = 0; part.done !== true; number += 1) {
    const { table, columns, lines } = part.value
    const head = JSON.stringify({ table, columns })
    await add(
      `tables/${String(number).padStart(6, '0')}-${table}.ndjson`,
      Buffer.from(`${[head, ...lines].join('\n')}\n`),
    )
    part = await tables.next()
  }
  const { rawSha256s, ...state } = part.value
  for (let at = 0; at < rawSha256s.length; at += sha256Bytes)
    await addRaw(tar, rawSha256s.toString('hex', at, at + sha256Bytes))
  for (const name of await readdir(dataFolder).catch(() => []))
    if (name.endsWith('.key'))
      await add(`keys/${name}`, await readFile(path.join(/*turbopackIgnore: true*/ dataFolder, name)))
  const manifest: Manifest = {
    format: 2,
    madeAt: new Date().toISOString(),
    ...state,
    sequences: [...state.sequences],
    migrations: [...state.migrations],
    entries,
    rawFiles: rawSha256s.length / sha256Bytes,
  }
  await written(tar, 'manifest.json', Buffer.from(JSON.stringify(manifest)))
  tar.finalize()
}

function written(tar: Pack, name: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) =>
    tar.entry({ name, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve())),
  )
}

async function addRaw(tar: Pack, sha256: string): Promise<void> {
  const size = await rawStore().sizeBytes(sha256)
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of rawStore().read(sha256)) {
      hash.update(chunk)
      yield chunk
    }
  }
  const entry = tar.entry({ name: rawEntry(sha256), size, mode: 0o600 })
  await pipeline(Readable.from(hashed()), entry as unknown as NodeJS.WritableStream)
  if (hash.digest('hex') === sha256) return
  throw new Error(`The raw file ${sha256} is damaged: restore it from an earlier backup.`)
}
