/** A separate process for the migration tests: opens DATABASE_URL, says so, and exits. */
import { closeDatabase, openDatabase } from '@/prisma/db'

try {
  await openDatabase({ dataFolder: '', databaseUrl: process.env['DATABASE_URL'] })
  process.stdout.write('open\n')
  await closeDatabase()
} catch (error) {
  process.stdout.write(`refused ${String(error)}\n`)
}
