import { trashDays } from '@/lib/project/stored-trash'
import { localViewer } from '@/lib/viewer'
import {
  applyRetention,
  emptyTrash,
  findNeededRaws,
  rewriteTargets,
  sweepDrafts,
  sweepIdempotencyKeys,
  sweepProgress,
} from '@/prisma/queries/installation/sweeps'
import { sweepRateLimits } from '@/prisma/queries/accounts/rate-limits'
import { sweepSessions } from '@/prisma/queries/accounts/sessions'
import { ownerLink } from './accounts/invite'
import { startBackground } from './background'
import { isSealed, readChannelKey, seal } from './alerts/channel-seal'
import { loadSampleData } from './load-sample-data'
import { rawStore } from './store/process-store'
import { StoreError } from './store/store-error'
import { settings } from './settings'
import { readyWorker } from './uploads/worker-pool'
import { log } from './observe/log'

const HOUR_MS = 3_600_000
const DRAFT_LIFE_MS = 24 * HOUR_MS

/**
 * Prepares the data at a start: samples on the very first one of a server without accounts, then the sweep, which
 * repeats hourly, the background work, and a thread for the first upload.
 */
export async function prepareData(): Promise<void> {
  // A team's server starts empty: it needs no alarms about other people's documents. Its home page offers them.
  if (!settings().hasAccounts) await whileStoreIsThere(() => loadSampleData(localViewer))
  await sealChannels()
  await whileStoreIsThere(sweep)
  const link = await ownerLink(new Date())
  if (link !== null) log('info', `Within a week, create the account of an owner at ${link}`)
  startBackground()
  readyWorker()
  setInterval(() => {
    whileStoreIsThere(sweep).catch((error: unknown) => log('error', `The hourly cleanup failed: ${String(error)}`))
  }, HOUR_MS).unref()
}

/**
 * A start needs raw files for nothing that serving depends on: while their bucket is away, this is left to the next
 * start or hour.
 */
async function whileStoreIsThere(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

/** Encrypts addresses and secrets that an earlier version left in plain text. */
async function sealChannels(): Promise<void> {
  await rewriteTargets(async ({ projectId, target, secret }) => {
    if (isSealed(target)) return null
    const key = await readChannelKey(settings())
    return {
      target: seal(target, projectId, key),
      secret: secret === null ? null : seal(secret, projectId, key),
    }
  })
}

/**
 * Deletes drafts older than 24 hours, runs and files past their retention, and old trash; then raw files that no row
 * names, an hour after they were written.
 */
async function sweep(): Promise<void> {
  await sweepDrafts(new Date(Date.now() - DRAFT_LIFE_MS))
  await sweepIdempotencyKeys(new Date())
  await sweepSessions(new Date())
  await sweepRateLimits()
  await sweepProgress()
  await applyRetention(new Date())
  await emptyTrash(new Date(Date.now() - trashDays * 24 * HOUR_MS))
  await rawStore().sweep(findNeededRaws, HOUR_MS)
}
