import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { settings } from '../settings'

/** Threads that wait for the next upload; more are started when more come at once, and ended after. */
const maxIdle = 2
/** What a thread may hold of values, in MB: twice what 10,000 runs take. Beyond it, it ends. */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }
/** A thread that holds more than this when it is done is not used again: its memory is given back. */
const maxHeldBytes = 48 * 1024 ** 2

/** Stored on globalThis: each route of Next has its own copy of this module in one process. */
const key = Symbol.for('tailboard.importWorkers')
function idle(): Worker[] {
  const holder = globalThis as { [key]?: Worker[] }
  return (holder[key] ??= [])
}

/** A thread for one upload: to be given back, or ended. */
export function takeWorker(): Worker {
  const worker = idle().pop() ?? startWorker()
  worker.ref()
  return worker
}

/** Keeps a thread for the next upload; one that holds much is ended. Its listeners must be gone. */
export function giveBack(worker: Worker, heapBytes: number): void {
  if (idle().length >= maxIdle || heapBytes > maxHeldBytes) return void worker.terminate()
  // An idle thread keeps no process alive.
  worker.unref()
  worker.once('error', () => forget(worker))
  worker.once('exit', () => forget(worker))
  idle().push(worker)
}

function forget(worker: Worker): void {
  const at = idle().indexOf(worker)
  if (at >= 0) idle().splice(at, 1)
}

/** The file of the build; where there is none (tests, scripts), the source, which tsx reads. */
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
