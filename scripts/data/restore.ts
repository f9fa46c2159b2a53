/** `tailboard restore FILE` and `npm run restore -- FILE`: a backup into an empty data folder, and an empty database. */
import path from 'node:path'
import { restoreBackup } from '../../app/_server/backup/restore-backup'
import { EX_CONFIG, failStart } from '../../app/_server/lifecycle'
import { readSettings } from '../../app/_server/settings'
import { closeDatabase, openDatabase } from '../../prisma/db'

const [file] = process.argv.slice(2)
if (file === undefined) failStart('Name the file: npm run restore -- FILE', EX_CONFIG)
const { dataFolder, databaseUrl, directUrl, databaseWorker } = readSettings(process.env)
const migrations = path.resolve('prisma/migrations')
try {
  const place = { dataFolder, databaseUrl, directUrl, databaseWorker: databaseWorker ?? undefined }
  const open = (migrationsFolder: string) => openDatabase({ ...place, migrationsFolder })
  const { rows, rawFiles, madeAt } = await restoreBackup(file, dataFolder, migrations, { open, close: closeDatabase })
  process.stdout.write(`Restored the backup of ${madeAt}: ${rows} rows, ${rawFiles} raw files\n`)
} catch (error) {
  failStart(error, EX_CONFIG)
}
