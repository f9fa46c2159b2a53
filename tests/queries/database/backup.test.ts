import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRaw, manifestSchema, rawEntry } from '@/app/_server/backup/manifest'
import { readEntries, verifyBackup } from '@/app/_server/backup/read-backup'
import { restoreBackup } from '@/app/_server/backup/restore-backup'
import { writeBackup } from '@/app/_server/backup/write-backup'
import { loadSampleData } from '@/app/_server/load-sample-data'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, databasePool, openDatabase } from '@/prisma/db'
import { startPostgres } from '../../postgres'
import { startBucket } from '../../s3-server'
import { makeDataFolder } from '../../shared-databases'

const postgres = await startPostgres()
const migrations = path.join(import.meta.dirname, '../../../prisma/migrations')
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tailboard-backup-'))
})
afterAll(async () => {
  await closeDatabase()
  delete process.env.TAILBOARD_DATA
  await rm(folder, { recursive: true, force: true })
  if (postgres.kind === 'running') await postgres.stop()
})

async function backUp(name: string, dataFolder: string): Promise<Readonly<Record<string, string>>> {
  await pipeline(writeBackup(dataFolder), createWriteStream(path.join(folder, name)))
  return (await verifyBackup(path.join(folder, name))).entries
}

async function restore(name: string, dataFolder: string, databaseUrl?: string) {
  process.env.TAILBOARD_DATA = dataFolder
  const open = (migrationsFolder: string) => openDatabase({ dataFolder, databaseUrl, migrationsFolder })
  return restoreBackup(path.join(folder, name), dataFolder, migrations, { open, close: closeDatabase })
}

/** An entry as it is to be; null: left out. */
type Rewrite = (name: string, bytes: Buffer) => readonly [name: string, bytes: Buffer] | null

/** Copies a backup, entry by entry. */
async function rewrite(from: string, to: string, change: Rewrite): Promise<void> {
  const tar = pack()
  const written = pipeline(tar, createWriteStream(path.join(folder, to)))
  for await (const { name, bytes } of readEntries(path.join(folder, from))) {
    const parts: Uint8Array[] = []
    for await (const part of bytes) parts.push(part)
    const entry = change(name, Buffer.concat(parts))
    if (entry !== null) tar.entry({ name: entry[0] }, entry[1])
  }
  tar.finalize()
  await written
}

/** Whether a name is the first that fits since `again`. */
function firstOf(fits: (name: string) => boolean): ((name: string) => boolean) & { again(): void } {
  let isOver = false
  const test = (name: string) => !isOver && fits(name) && (isOver = true)
  return Object.assign(test, { again: () => (isOver = false) })
}

describe('a backup', () => {
  it('contains every table, and restores the same from either database and either store', async () => {
    const dataFolder = await makeDataFolder()
    process.env.TAILBOARD_DATA = dataFolder
    await openDatabase({ dataFolder })
    await loadSampleData(localViewer)
    await writeFile(path.join(dataFolder, 'channel.key'), 'x'.repeat(43))
    const { rows } = await databasePool().query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    )
    const first = await backUp('one.tar', dataFolder)
    await closeDatabase()
    const tables = Object.keys(first).flatMap((name) => /^tables\/\d+-(.*)\.ndjson$/.exec(name)?.[1] ?? [])
    expect([...new Set(tables), '_prisma_migrations'].toSorted()).toEqual(rows.map(({ name }) => name).toSorted())

    const databaseUrl = postgres.kind === 'running' ? await postgres.createDatabase('migrated') : undefined
    const second = path.join(folder, 'second')
    const bucket = await startBucket()
    Object.assign(process.env, bucket.env)
    expect((await restore('one.tar', second, databaseUrl)).rows).toBeGreaterThan(100)
    await openDatabase({ dataFolder: second, databaseUrl })
    expect(await backUp('two.tar', second)).toEqual(first)
    await closeDatabase()
    await expect(restore('one.tar', second, databaseUrl)).rejects.toThrow('only restored into an empty installation')
    await expect(restore('one.tar', path.join(folder, 'other'), databaseUrl)).rejects.toThrow(
      'there are raw files in the store',
    )
    await expect(readdir(path.join(second, 'raw'))).rejects.toThrow('ENOENT')
    for (const name of Object.keys(bucket.env)) Reflect.deleteProperty(process.env, name)
    await bucket.stop()
    await expect(restore('one.tar', path.join(folder, 'other'), databaseUrl)).rejects.toThrow(
      databaseUrl === undefined ? /^$/ : 'the database has rows in',
    )

    const third = await makeDataFolder()
    await restore('two.tar', third)
    await openDatabase({ dataFolder: third })
    expect(await backUp('three.tar', third)).toEqual(first)
    await closeDatabase()
    for (const made of [dataFolder, third]) await rm(made, { recursive: true, force: true })
  })

  it('if truncated or modified, is refused before anything is written', async () => {
    const bytes = await readFile(path.join(folder, 'one.tar'))
    for (const place of [0.1, 0.4, 0.7]) {
      const at = Math.floor(bytes.length * place)
      await writeFile(path.join(folder, 'bad.tar'), bytes.subarray(0, at))
      await expect(restore('bad.tar', path.join(folder, 'nothing'))).rejects.toThrow(/cannot be read|is truncated/)
    }
    const changed = Buffer.from(bytes)
    const at = bytes.indexOf('scenario')
    changed[at] = 0x53
    await writeFile(path.join(folder, 'bad.tar'), changed)
    await expect(restore('bad.tar', path.join(folder, 'nothing'))).rejects.toThrow(/is damaged: tables/)
  })

  it('is refused for a raw file that is changed, missing or renamed', async () => {
    const isFirst = firstOf(isRaw)
    const cases: readonly [Rewrite, RegExp][] = [
      [
        (name, bytes) => (isFirst(name) ? [name, Buffer.concat([bytes, Buffer.from('\n')])] : [name, bytes]),
        /raw\/.* is not what/,
      ],
      [(name, bytes) => (isFirst(name) ? [rawEntry('0'.repeat(64)), bytes] : [name, bytes]), /raw\/0+ is not what/],
      [(name, bytes) => (isFirst(name) ? null : [name, bytes]), /it has \d+ of \d+ raw files/],
    ]
    for (const [change, words] of cases) {
      isFirst.again()
      await rewrite('one.tar', 'bad.tar', change)
      await expect(restore('bad.tar', path.join(folder, 'nothing'))).rejects.toThrow(words)
    }
  })

  it('of format 1, whose manifest names each raw file, is restored', async () => {
    const raws: string[] = []
    await rewrite('one.tar', 'old.tar', (name, bytes) => {
      if (isRaw(name)) raws.push(name)
      if (name !== 'manifest.json') return [name, bytes]
      const { rawFiles: _rawFiles, ...own } = manifestSchema.parse(JSON.parse(bytes.toString()))
      const named = Object.fromEntries(raws.map((raw) => [raw, raw.slice('raw/'.length)]))
      return [name, Buffer.from(JSON.stringify({ ...own, format: 1, entries: { ...own.entries, ...named } }))]
    })
    const dataFolder = await makeDataFolder()
    expect((await restore('old.tar', dataFolder)).rawFiles).toBe(raws.length)
    expect(raws.length).toBeGreaterThan(1)
    await rm(dataFolder, { recursive: true, force: true })
  })
})
