import { setTimeout as sleep } from 'node:timers/promises'
import { ImportError } from '@/lib/errors'
import {
  enqueueOldCubes,
  findDueCubes,
  postponeDueCubes,
  saveDueCubes,
  type DueCubes,
} from '@/prisma/queries/installation/cubes'
import type { EncodedCubes } from '@/prisma/statements/save-cubes'
import { log } from './observe/log'
import { rawStore } from './store/process-store'
import { StoreError } from './store/store-error'
import { whenIdle } from './when-idle'
import { readInWorker } from './uploads/read-in-worker'

/** How long uploads and pages come first, in ms. */
const patienceMs = 5_000
/** How long counting pauses when raw files cannot be reached, or a cube cannot be stored, in ms. */
const awayMs = 60_000

let isQueued = false

/** Counts the rows of uploads that were saved without cubes: drafts, and those of earlier versions. Newest first. */
export async function countDueRows(signal: AbortSignal): Promise<void> {
  if (!isQueued) await enqueueOldCubes()
  isQueued = true
  while (!signal.aborted) {
    const due = await findDueCubes()
    if (due === null) return
    await whenIdle(patienceMs)
    try {
      await saveDueCubes(due.uploadId, due.isRemoved ? null : await countRows(due, signal))
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof StoreError)) {
        log('error', `Storing what was counted of upload ${due.uploadId} failed: ${String(error)}`)
        await postponeDueCubes(due.uploadId)
      }
      return sleep(awayMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}

/** Null: its bytes are lost, or cannot be read any more. Throws StoreError while the store is away. */
async function countRows(
  { uploadId, storedSha256, keepSecrets, mapping }: DueCubes,
  signal: AbortSignal,
): Promise<EncodedCubes | null> {
  const store = rawStore()
  if (!(await store.has(storedSha256))) return null
  const how = { masks: !keepSecrets, mapping, counts: true, signal }
  try {
    return (await readInWorker(store.read(storedSha256), () => store.stored(storedSha256), how)).cubes
  } catch (error) {
    if (signal.aborted || error instanceof StoreError) throw error
    if (!(error instanceof ImportError))
      log('error', `Counting the rows of upload ${uploadId} failed: ${String(error)}`)
    return null
  }
}
