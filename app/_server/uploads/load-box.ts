import { LRUCache } from 'lru-cache'
import { maxCubes, mayHaveBoxes, mayHaveRows } from '@/lib/cube/row-forms'
import type { RowBox } from '@/lib/cube/row-box'
import { ImportError } from '@/lib/errors'
import { refusedBox, type BoxAnswer } from '@/lib/explain/explain-box'
import { formatDay } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'
import { mergedForm } from '@/lib/run/merged-form'
import type { NamedMapping } from '@/lib/run/column-mapping'
import type { Granted } from '@/prisma/queries/projects/projects'
import { readRunMapping } from '@/prisma/queries/runs/cubes'
import { inSlot, type SlotKind } from '../http/work-slots'
import { rawStore } from '../store/process-store'
import { readInWorker } from './read-in-worker'
import type { ReadBox } from './worker-messages'

/** Each reads a whole upload: one at a time, so that uploads and pages hardly notice. */
const boxSlots: SlotKind = { name: 'boxes', maxAtOnce: 1, busy: 'The rows of another box are being read.' }
/** How long a reading may take, in ms. */
const longestMs = 60_000

/** Answers of this process by raw file, run and box; those being read, too, so that nothing is read twice at once. */
const known = new LRUCache<string, Promise<BoxAnswer>>({ max: 100 })

/**
 * What the requests in a box over a run's heat map differ by, from its raw file, or why nothing can be said. Throws
 * BusyError while others are read, StoreError while the store is away.
 */
export async function loadBox(project: Granted<'read'>, run: StoredRun, box: RowBox): Promise<BoxAnswer> {
  const refused = refusalOf(run)
  if (refused !== null) return refusedBox(refused)
  const mapping = await readRunMapping(project, run.id)
  const { upload, indexInUpload } = run
  const key = JSON.stringify([upload.storedSha256, upload.keepSecrets, indexInUpload, mapping, box])
  const before = known.get(key)
  if (before !== undefined) return before
  const reading = inSlot(boxSlots, () => readBox(run, mapping, box))
  known.set(key, reading)
  void reading.then(
    ({ kind }) => kind === 'refused' && known.delete(key),
    () => known.delete(key), // thrown to those who asked
  )
  return reading
}

/** Why nothing can be said of any box of a run; null: it has rows, as far as is known without reading them. */
export function refusalOf({ form, upload, indexInUpload, imported }: StoredRun): string | null {
  if (form === mergedForm)
    return 'The run was merged from several: each of its parts has rows of its own, and no box is over all of them'
  if (mayHaveRows(form) && !mayHaveBoxes(form)) return 'It is a log: only rows of a load generator are asked by box'
  if (!mayHaveRows(form)) return 'The output has no row for each request: raw results show what is in a box'
  if (upload.rawRemovedAt !== null)
    return `The raw file was removed on ${formatDay(upload.rawRemovedAt)} by the project’s retention: its rows are gone`
  if (indexInUpload >= maxCubes) return `Only the first ${maxCubes} runs of an upload are counted by their rows`
  return imported.timeline === null ? 'The rows of this run have no times' : null
}

async function readBox(run: StoredRun, mapping: NamedMapping | null, box: RowBox): Promise<BoxAnswer> {
  const store = rawStore()
  const { storedSha256, keepSecrets } = run.upload
  if (!(await store.has(storedSha256))) return refusedBox('The raw file is missing from the store')
  const signal = AbortSignal.timeout(longestMs)
  const read = async (originS: number): Promise<ReadBox | null> => {
    const asked = { of: box, index: run.indexInUpload, originS }
    const how = { masks: !keepSecrets, mapping, box: asked, signal }
    return (await readInWorker(store.read(storedSha256), () => store.stored(storedSha256), how)).box
  }
  try {
    const startedAt = run.imported.timeline?.startedAt ?? null
    // Where times have no date, the first reading says when they begin: mostly at 0.
    const guessS = startedAt === null ? 0 : Date.parse(startedAt) / 1_000
    const found = await read(guessS)
    const right = found === null || found.originS === guessS ? found : await read(found.originS)
    return right?.answer ?? refusedBox('The raw file has no rows of this run')
  } catch (error) {
    if (signal.aborted) return refusedBox(`Reading the rows takes longer than ${longestMs / 1_000} s`)
    if (error instanceof ImportError) return refusedBox(`The raw file could not be read again: ${error.message}`)
    throw error
  }
}
