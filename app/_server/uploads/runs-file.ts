import { toCsv } from '@/lib/export/csv'
import { maxListedRuns, runListRows } from '@/lib/export/runs-csv'
import { metrics } from '@/lib/run/metrics'
import type { RunFilter, RunPageRequest } from '@/lib/history/run-list'
import type { RunRow } from '@/lib/history/stored-runs'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listRuns } from '@/prisma/queries/runs/runs'

/** The runs of a file: those of a list, with these columns; null: with all. */
interface AskedRuns {
  readonly filter: RunFilter
  readonly page: RunPageRequest
  readonly columns: readonly string[] | null
}

/** A list of runs as a file to download; the runs after its last one begin at the cursor in `x-next-cursor`. */
export async function fileOfRuns(project: Granted<'read'>, { filter, page, columns }: AskedRuns): Promise<Response> {
  const { rows, nextCursor } = await listAll(project, filter, page)
  const shown = metrics.filter(({ id }) => columns === null || columns.includes(id))
  return new Response(toCsv(runListRows(rows, shown)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${project.slug}-runs.csv"`,
      'cache-control': 'private, no-store',
      ...(nextCursor === null ? {} : { 'x-next-cursor': nextCursor }),
    },
  })
}

async function listAll(project: Granted<'read'>, filter: RunFilter, page: RunPageRequest) {
  const rows: RunRow[] = []
  let cursor = page.cursor
  for (;;) {
    const limit = Math.min(200, maxListedRuns - rows.length)
    const found = await listRuns(project, filter, { ...page, limit, cursor })
    rows.push(...found.rows)
    if (found.nextCursor === null || rows.length >= maxListedRuns) return { rows, nextCursor: found.nextCursor }
    cursor = found.nextCursor
  }
}
