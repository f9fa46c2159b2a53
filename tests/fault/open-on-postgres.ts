/** A process of its own for the tests of migrations: opens DATABASE_URL, says so, and ends. */
import { closeDatabase, openDatabase } from '@/prisma/db'

try {
  await openDatabase({ dataFolder: '', databaseUrl: process.env['DATABASE_URL'] })
  process.stdout.write('open\n')
  await closeDatabase()
} catch (error) {
  process.stdout.write(`refused ${String(error)}\n`)
}
