import { cache } from 'react'
import { ZodError } from 'zod'
import { BusyError } from '@/app/_server/http/respond'
import { StoreError } from '@/app/_server/store/store-error'
import { loadBox, refusalOf } from '@/app/_server/uploads/load-box'
import { readRowBox, type RowBox } from '@/lib/cube/row-box'
import { InvalidInputError } from '@/lib/errors'
import { refusedBox, type BoxAnswer } from '@/lib/explain/explain-box'
import type { StoredRun } from '@/lib/history/stored-runs'
import { openProject } from '../../../open-project'
import { openRun } from '../load-run'

export interface LoadedBoxPage {
  readonly run: StoredRun
  readonly box: RowBox | null
  readonly answer: BoxAnswer | null
  /** Why there is no answer now, as a sentence; null: there is, or no box was drawn. */
  readonly problem: string | null
}

/** Read once per request: its title is the sentence. `query`: of the address. */
export const loadBoxPage = cache(async (slug: string, runId: string, query: string): Promise<LoadedBoxPage> => {
  const run = await openRun(slug, runId)
  const { granted } = await openProject(slug)
  const refused = refusalOf(run)
  let box: RowBox | null = null
  try {
    box = readRowBox(new URLSearchParams(query))
    if (box === null) return { run, box, answer: refused === null ? null : refusedBox(refused), problem: refused }
    return { run, box, answer: await loadBox(granted, run, box), problem: null }
  } catch (error) {
    return { run, box, answer: null, problem: problemOf(error) }
  }
})

function problemOf(error: unknown): string {
  if (error instanceof BusyError) return `${error.message.replace(/\.$/, '')}: try again in a moment`
  if (error instanceof StoreError) return 'The store of raw files does not respond: try again in a moment'
  if (error instanceof InvalidInputError) return error.message.replaceAll('`', '').replace(/\.$/, '')
  if (error instanceof ZodError)
    return 'The bounds of a box are numbers from 0: from and to in seconds, above and below in ms'
  throw error
}
