import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { settings } from '../settings'

/** Threads that always stay ready for the next upload; starting one costs more than reading most uploads. */
const alwaysIdle = 2
/** While many uploads come at once, this many threads stay ready; those idle for a while are ended. */
const maxIdle = 16
const idleMs = 30_000
/** A thread's limit of memory, in MB: twice what 10,000 runs take. Beyond it, the thread ends. */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }
/** A thread that holds more than this at the end is not reused: its memory is returned. */
const maxHeldBytes = 48 * 1024 ** 2

interface IdleWorker {
  readonly worker: Worker
  readonly sinceMs: number
}

/**
 * Stored on globalThis: each route of Next has its own copy of this module in one process. The last entry is the most
 * recently used.
 */
const key = Symbol.for('tailboard.importWorkers')
function idle(): IdleWorker[] {
  const holder = globalThis as { [key]?: IdleWorker[] }
  return (holder[key] ??= [])
}

/** Starts a thread, so that the first upload does not wait for it: a built one, which takes no time of this one. */
export function readyWorker(): void {
  if (idle().length === 0 && settings().importWorker !== null) giveBack(startWorker(), 0)
}

/** A thread for one upload: give it back, or end it. */
export function takeWorker(): Worker {
  const worker = idle().pop()?.worker ?? startWorker()
  worker.ref()
  return worker
}

/** Keeps a thread for the next upload; one with a large heap is ended. Remove its listeners first. */
export function giveBack(worker: Worker, heapBytes: number): void {
  if (idle().length >= maxIdle || heapBytes > maxHeldBytes) return void worker.terminate()
  // An idle thread keeps no process alive.
  worker.unref()
  worker.once('error', () => forget(worker))
  worker.once('exit', () => forget(worker))
  idle().push({ worker, sinceMs: performance.now() })
  setTimeout(endSpare, idleMs).unref()
}

function endSpare(): void {
  const spare = idle()
    .slice(0, -alwaysIdle)
    .filter(({ sinceMs }) => performance.now() - sinceMs >= idleMs)
  for (const { worker } of spare) {
    forget(worker)
    void worker.terminate()
  }
}

function forget(worker: Worker): void {
  const at = idle().findIndex((one) => one.worker === worker)
  if (at >= 0) idle().splice(at, 1)
}

/** The built file; without a build (tests, scripts), the source, which tsx reads. */
function startWorker(): Worker {
  const { importWorker } = settings()
  if (importWorker !== null) return new Worker(/*turbopackIgnore: true*/ importWorker, { resourceLimits, execArgv: [] })
  const workerData = path.resolve(/*turbopackIgnore: true*/ 'app/_server/uploads/upload-worker.ts')
  return new Worker(`require('tsx/cjs'); require(require('node:worker_threads').workerData)`, {
    eval: true,
    resourceLimits,
    workerData,
  })
}
