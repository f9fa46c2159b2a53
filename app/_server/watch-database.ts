import { setTimeout as sleep } from 'node:timers/promises'
import { databaseFailureOf } from '@/prisma/database-failure'
import { pingDatabase } from '@/prisma/queries/installation/sweeps'
import { isDatabaseAway, setDatabaseAway } from './outage'
import { log } from './observe/log'

const FIRST_MS = 250
const LONGEST_MS = 2_000

/** On globalThis: routes and background work are separate bundles in one process. */
const key = Symbol.for('tailboard.database-watch')

/**
 * Handles a failure: if it means that the database is away, and it is, requests are turned down until it is back, and
 * this resolves then. For another kind of failure, resolves at once with false. `open`: opens it, at the start.
 */
export async function waitForDatabase(error: unknown, open: () => Promise<void> = pingDatabase): Promise<boolean> {
  if (databaseFailureOf(error) !== 'unavailable') return false
  const holder = globalThis as { [key]?: Promise<void> | undefined }
  holder[key] ??= untilBack(error, open).finally(() => (holder[key] = undefined))
  await holder[key]
  return true
}

/** One line when it goes away, one when it is back. */
async function untilBack(error: unknown, open: () => Promise<void>): Promise<void> {
  const since = performance.now()
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_MS)) {
    try {
      await open()
      break
    } catch (failure) {
      // While it starts, it may report anything; what a start cannot do is up to its caller.
      if (open !== pingDatabase && databaseFailureOf(failure) !== 'unavailable') throw failure
    }
    if (!isDatabaseAway()) log('warn', `The database is away: ${reasonOf(error)}`)
    setDatabaseAway(true)
    await sleep(pauseMs, undefined, { ref: false })
  }
  if (!isDatabaseAway()) return
  setDatabaseAway(false)
  log('warn', `The database is back after ${((performance.now() - since) / 1_000).toFixed(1)} s`)
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? ''
