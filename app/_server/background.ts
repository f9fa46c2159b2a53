import { setTimeout as sleep } from 'node:timers/promises'
import { foldTermCounts } from '@/prisma/queries/sweeps'
import { evaluateDue } from './evaluate-due'
import { onShutdown } from './lifecycle'

const POLL_MS = 1_000

/** Does what waits in the database, now and then once a second, until the process is shut down. */
export function startBackground(): void {
  const stop = new AbortController()
  const work = goOn(stop.signal)
  onShutdown(async () => {
    stop.abort()
    await work
  })
}

async function goOn(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await attempt('Counting what runs are found by', foldTermCounts)
    await attempt('Looking at series', evaluateDue)
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

async function attempt(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${what} failed: ${reasonsOf(error)}\n`)
  }
}

function reasonsOf(error: unknown): string {
  return error instanceof AggregateError ? `${error.message}: ${error.errors.map(String).join('; ')}` : String(error)
}
