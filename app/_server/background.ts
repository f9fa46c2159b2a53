import { setTimeout as sleep } from 'node:timers/promises'
import { trashDays } from '@/lib/project/stored-trash'
import { purgeProjects } from '@/prisma/queries/installation/purge-projects'
import { foldTermCounts } from '@/prisma/queries/installation/sweeps'
import { checkMissing } from './alerts/check-missing'
import { deliverDue, type OnTheirWay } from './alerts/deliver'
import { evaluateDue } from './alerts/evaluate-series'
import { onShutdown } from './lifecycle'
import { noteWork } from './outage'
import { waitForDatabase } from './watch-database'
import { countDueRows } from './count-rows'
import { log } from './observe/log'

const POLL_MS = 1_000
const HOUR_MS = 3_600_000

/** How long a shutdown waits for messages on their way, in ms; after that, the next start sends them again. */
const FAREWELL_MS = 2_000

/** Does the work that waits in the database: at once, then every second, until the process is shut down. */
export function startBackground(): void {
  const stop = new AbortController()
  const work = Promise.all([
    goOn(stop.signal),
    goOnDelivering(stop.signal),
    goOnCounting(stop.signal),
    goOnPurging(stop.signal),
  ])
  onShutdown(async () => {
    stop.abort()
    await work
  })
}

/** An evaluation can take long: messages do not wait for it. */
async function goOnDelivering(signal: AbortSignal): Promise<void> {
  const onTheirWay: OnTheirWay = new Map()
  const failed = (error: unknown) => log('error', `Delivering failed: ${reasonsOf(error)}`)
  const sending = () => [...onTheirWay.values()].flatMap((some) => [...some.values()])
  while (!signal.aborted) {
    await attempt('Delivering', () => deliverDue(onTheirWay, failed))
    const poll = sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined)
    await Promise.race([poll, ...sending()])
  }
  await Promise.race([Promise.all(sending()), sleep(FAREWELL_MS, undefined, { ref: false })])
}

async function goOn(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await attempt('Counting search terms', () => foldTermCounts(signal, noteWork))
    await attempt('Evaluating series', () => evaluateDue(signal))
    await attempt('Checking for missing runs', checkMissing)
    noteWork()
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Reading a large upload again takes long: evaluations do not wait for it. */
async function goOnCounting(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await attempt('Counting rows', () => countDueRows(signal))
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** A project of millions of runs takes minutes: nothing waits for it. */
async function goOnPurging(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const before = new Date(Date.now() - trashDays * 24 * HOUR_MS)
    await attempt('Deleting old projects', () => purgeProjects(before, signal))
    await sleep(HOUR_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (await waitForDatabase(error)) return
    log('error', `${what} failed: ${reasonsOf(error)}`)
  }
}

function reasonsOf(error: unknown): string {
  return error instanceof AggregateError ? `${error.message}: ${error.errors.map(String).join('; ')}` : String(error)
}
