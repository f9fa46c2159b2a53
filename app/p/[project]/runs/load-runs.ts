import { problemOf } from '@/app/_server/http/respond'
import { readRunQuery } from '@/app/_server/http/run-query'
import { InvalidInputError } from '@/lib/errors'
import { inDocumentOrder } from '@/lib/history/document-order'
import { defaultMetric } from '@/lib/run/metrics'
import type { RunPage, RunPageRequest } from '@/lib/history/run-list'
import type { RunPast, RunRepeat } from '@/lib/history/stored-runs'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listPasts, listRepeats, listRuns } from '@/prisma/queries/runs/runs'
import { ZodError } from 'zod'

/** A page of the history, and what was wrong with its address (the whole history is then shown); null: nothing. */
export interface LoadedRuns {
  readonly rows: RunPage['rows']
  readonly nextCursor: string | null
  readonly page: RunPageRequest
  /** For each row, all runs of its experiment, newest first; empty: every run is a row. */
  readonly repeats: ReadonlyMap<string, readonly RunRepeat[]>
  /** For each row, its series up to it. */
  readonly pasts: ReadonlyMap<string, RunPast>
  readonly notice: string | null
}

/** Fewer than in the API: a line is 4 kB of HTML, and takes 1 ms to render. */
const runsOfPage = ['limit', '30'] as const

/** Reads the runs that the query string selects. Nonsense in it is reported, not thrown. */
export async function loadRuns(project: Granted<'read'>, params: URLSearchParams): Promise<LoadedRuns> {
  try {
    const { filter, page } = readRunQuery(new URLSearchParams([[...runsOfPage], ...params]))
    const found = await listRuns(project, filter, page)
    const heads = filter.newestOfRepeats ? found.rows.map((row) => row.id) : []
    const [repeats, pasts] = await Promise.all([
      heads.length === 0 ? new Map<string, readonly RunRepeat[]>() : listRepeats(project, heads),
      pastsOf(project, found.rows),
    ])
    const rows = page.sort === 'time' ? inDocumentOrder(found.rows) : found.rows
    return { ...found, rows, page, repeats, pasts, notice: null }
  } catch (error) {
    if (!(error instanceof ZodError || error instanceof InvalidInputError)) throw error
    const { detail, field, hint } = problemOf(error)
    // A schema's message is for programs; people get a sentence of ours.
    const why =
      error instanceof ZodError ? `“${field ?? ''}” has an invalid value.` : [detail, hint].filter(Boolean).join(' ')
    const notice = `Invalid address, so all runs are shown: ${why}`
    const { filter, page } = readRunQuery(new URLSearchParams([[...runsOfPage]]))
    const found = await listRuns(project, filter, page)
    const pasts = await pastsOf(project, found.rows)
    return { ...found, rows: inDocumentOrder(found.rows), page, repeats: new Map(), pasts, notice }
  }
}

const pastsOf = (project: Granted<'read'>, rows: RunPage['rows']) =>
  listPasts(
    project,
    rows.map(({ id }) => id),
    defaultMetric,
  )

/** Next's search parameters as URLSearchParams, without empty ones. */
export function searchParamsOf(record: Readonly<Record<string, string | string[] | undefined>>): URLSearchParams {
  const pairs = Object.entries(record).flatMap(([key, value]) =>
    [value ?? []].flat().map((text): [string, string] => [key, text.trim()]),
  )
  return new URLSearchParams(pairs.filter(([, text]) => text !== ''))
}
