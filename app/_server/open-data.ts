import { databaseFailureOf } from '@/prisma/database-failure'
import { makeFolder, writeProbe } from '@/prisma/sync-disk'
import { serveBackups } from './backup/backup-socket'
import { EX_CONFIG, failStart, onShutdown } from './lifecycle'
import { prepareData } from './prepare-data'
import { settings } from './settings'
import { rawStore } from './store/process-store'
import { StoreError } from './store/store-error'
import { waitForDatabase } from './watch-database'

/**
 * Opens the database and prepares the data. Waits for a database that does not respond yet, while the server reports
 * that it is away; what only a person can fix ends the process with a sentence.
 */
export async function openData(open: () => Promise<void>): Promise<void> {
  const { dataFolder } = settings()
  try {
    await makeFolder(dataFolder)
    await writeProbe(dataFolder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const advice = 'Let this user write to it, or set TAILBOARD_DATA to another folder.'
    failStart(new Error(`The data folder ${dataFolder} cannot be used: ${reason}. ${advice}`), EX_CONFIG)
  }
  try {
    await rawStore().check()
  } catch (error) {
    if (error instanceof StoreError && error.isRefusal)
      failStart(new Error(`The bucket of TAILBOARD_S3_BUCKET cannot be used: ${error.message}.`), EX_CONFIG)
    if (!(error instanceof StoreError)) throw error // else the store is away, as logged, and will be back
  }
  try {
    await open()
  } catch (error) {
    if (databaseFailureOf(error) !== 'unavailable') failStart(error, EX_CONFIG)
    void waitForDatabase(error, open)
      .then(prepareData)
      .catch((failure: unknown) => failStart(failure, EX_CONFIG))
    return
  }
  await prepareData()
  if (settings().databaseUrl === null) onShutdown(await serveBackups(dataFolder))
}
