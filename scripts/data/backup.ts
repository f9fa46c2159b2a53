/**
 * `tailboard backup FILE` and `npm run backup -- FILE`: everything into one tar, whether the server runs or not. The
 * file appears once it is complete.
 */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { askForBackup } from '../../app/_server/backup/backup-socket'
import { verifyBackup } from '../../app/_server/backup/read-backup'
import { writeBackup } from '../../app/_server/backup/write-backup'
import { EX_CONFIG, failStart } from '../../app/_server/lifecycle'
import { readSettings } from '../../app/_server/settings'
import { closeDatabase, openDatabase } from '../../prisma/db'
import { existingData } from './existing-data'

const [file] = process.argv.slice(2)
if (file === undefined) failStart('Name the file: npm run backup -- FILE', EX_CONFIG)
const settings = existingData(readSettings(process.env))
const { dataFolder, databaseUrl } = settings
const part = `${file}.part`
try {
  const running = databaseUrl ? null : await askForBackup(dataFolder)
  if (running === null) await openDatabase(settings)
  await pipeline(running ?? writeBackup(dataFolder), createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }))
  const { entries } = await verifyBackup(part)
  await rename(part, file)
  process.stdout.write(`${file}: ${Object.keys(entries).length} entries, verified\n`)
} catch (error) {
  await rm(part, { force: true })
  failStart(error)
} finally {
  await closeDatabase()
}
