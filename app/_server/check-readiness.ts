import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { databaseFailureOf } from '@/prisma/database-failure'
import { isDatabaseWritable } from '@/prisma/queries/installation/sweeps'
import { isDatabaseAway, sinceWorkMs } from './outage'
import { settings } from './settings'
import { rawStore } from './store/process-store'
import { version } from './version'

const longestPauseMs = 120_000

interface Readiness {
  readonly status: 'ready' | 'unavailable'
  readonly version: string
  readonly database: 'ready' | 'read-only' | 'unavailable'
  readonly store: 'ready' | 'full' | 'unavailable'
  readonly jobs: 'ready' | 'late' | 'waiting'
  /** `replaced`: a later start built other sources; this process keeps serving its own build. */
  readonly build: 'current' | 'replaced'
}

/** State for a load balancer. */
export async function checkReadiness(): Promise<Readiness> {
  const [database, store] = await Promise.all([checkDatabase(), checkStore()])
  const sinceMs = sinceWorkMs()
  const jobs = sinceMs === null ? 'waiting' : sinceMs > longestPauseMs ? 'late' : 'ready'
  const isReady = database === 'ready' && store === 'ready' && jobs === 'ready'
  return {
    status: isReady ? 'ready' : 'unavailable',
    version,
    database,
    store,
    jobs,
    build: checkBuild(),
  }
}

async function checkDatabase(): Promise<Readiness['database']> {
  if (isDatabaseAway()) return 'unavailable'
  try {
    return (await isDatabaseWritable()) ? 'ready' : 'read-only'
  } catch {
    return 'unavailable' // whichever caller needed it has logged why
  }
}

async function checkStore(): Promise<Readiness['store']> {
  try {
    await rawStore().check()
    return 'ready'
  } catch (error) {
    return databaseFailureOf(error) === 'full' ? 'full' : 'unavailable'
  }
}

function checkBuild(): Readiness['build'] {
  const { importWorker } = settings()
  if (importWorker === null) return 'current'
  const build = path.dirname(importWorker)
  try {
    const current = path.join(path.dirname(build), 'current')
    return existsSync(importWorker) && realpathSync(current) === realpathSync(build) ? 'current' : 'replaced'
  } catch {
    return 'replaced'
  }
}
