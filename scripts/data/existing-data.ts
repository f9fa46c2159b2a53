import { existsSync } from 'node:fs'
import { EX_CONFIG, failStart } from '../../app/_server/lifecycle'
import type { Settings } from '../../app/_server/settings'
import type { DatabaseSettings } from '../../prisma/db'

/** Where the data is that a script works on. Ends the process if there is none: opening it would make an empty one. */
export function existingData({ dataFolder, databaseUrl, directUrl, databaseWorker }: Settings): DatabaseSettings {
  if (databaseUrl === null && !existsSync(dataFolder)) failStart(`There is no data folder ${dataFolder}.`, EX_CONFIG)
  return { dataFolder, databaseUrl, directUrl, databaseWorker: databaseWorker ?? undefined }
}
