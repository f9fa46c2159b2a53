import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { makeDataFolder } from '../../shared-databases'

/**
 * `npm run test:faults` sets it: each damage, otherwise one that is seen before PostgreSQL starts and one that it
 * reports.
 */
const isWhole = process.env.TAILBOARD_KILLS !== undefined

let dataFolder = ''
beforeEach(async () => {
  dataFolder = await makeDataFolder()
})
afterEach(async () => {
  await closeDatabase()
  await rm(dataFolder, { recursive: true, force: true })
})

const inDatabase = (...names: readonly string[]) => path.join(dataFolder, 'database', ...names)

/** All files except the one that says which process opened them. */
async function digestFolder(): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>()
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true })
  for (const name of entries
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name))
    .sort())
    digests.set(
      path.relative(dataFolder, name),
      createHash('sha256')
        .update(await readFile(name))
        .digest('hex'),
    )
  digests.delete('database/postmaster.pid')
  return digests
}

/** Ways to damage a folder, and the resulting message. */
const damages: readonly (readonly [name: string, damage: () => Promise<void>, message: RegExp])[] = [
  ['without PG_VERSION', () => rm(inDatabase('PG_VERSION')), /PG_VERSION or global\/pg_control is missing/],
  ['without pg_control', () => rm(inDatabase('global', 'pg_control')), /PG_VERSION or global\/pg_control is missing/],
  [
    'with half a pg_control',
    () => truncate(inDatabase('global', 'pg_control'), 100),
    /is damaged \(could not read file "global\/pg_control": read 100 of 296\).* restore a backup/,
  ],
  [
    'with a pg_control of zeros',
    () => writeFile(inDatabase('global', 'pg_control'), Buffer.alloc(8192)),
    /is damaged \(database files are incompatible with server\)/,
  ],
  [
    'without its log',
    async () => {
      const names = await readdir(inDatabase('pg_wal'))
      for (const name of names.filter((one) => /^[0-9A-F]{24}$/.test(one))) await rm(inDatabase('pg_wal', name))
    },
    /is damaged \(could not locate a valid checkpoint record at .*\).* restore a backup/,
  ],
]

describe('a damaged data folder', () => {
  it.each(damages.filter(([name]) => isWhole || ['without PG_VERSION', 'without its log'].includes(name)))(
    '%s is refused with a sentence and left as it is',
    async (_name, damage, message) => {
      await damage()
      const before = await digestFolder()
      await expect(openDatabase({ dataFolder })).rejects.toThrow(message)
      expect(await digestFolder()).toEqual(before)
      // Released: the next process does not see it as in use.
      await expect(stat(path.join(dataFolder, 'tailboard.lock'))).rejects.toThrow('ENOENT')
    },
  )
})
