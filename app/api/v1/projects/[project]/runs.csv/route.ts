import { exportSlots } from '@/app/_server/http/export-slots'
import { route } from '@/app/_server/http/route'
import { readRunQuery } from '@/app/_server/http/run-query'
import { readColumns } from '@/components/runs/run-columns'
import { toCsv } from '@/lib/export/csv'
import { maxListedRuns, runListRows } from '@/lib/export/runs-csv'
import { metrics } from '@/lib/run/metrics'
import type { RunFilter, RunPageRequest, RunRow } from '@/lib/run/stored'
import type { Viewer } from '@/lib/viewer'
import { getProject } from '@/prisma/queries/projects'
import { listRuns } from '@/prisma/queries/runs'

type Params = { project: string }

/** A list of runs as a file to download; what lies beyond its last run begins at the cursor in `x-next-cursor`. */
export const GET = route<Params>(
  async (request, params, viewer) => {
    const project = await getProject(viewer, params.project)
    const query = new URL(request.url).searchParams
    const { filter, page } = readRunQuery(query)
    const { rows, nextCursor } = await listAll(viewer, project.id, filter, page)
    const columns = readColumns(query)
    const text = toCsv(
      runListRows(
        rows,
        metrics.filter(({ id }) => columns === null || columns.includes(id)),
      ),
    )
    return new Response(text, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${project.slug}-runs.csv"`,
        'cache-control': 'private, no-store',
        ...(nextCursor === null ? {} : { 'x-next-cursor': nextCursor }),
      },
    })
  },
  { slots: exportSlots },
)

async function listAll(viewer: Viewer, projectId: string, filter: RunFilter, page: RunPageRequest) {
  const rows: RunRow[] = []
  let cursor = page.cursor
  for (;;) {
    const limit = Math.min(200, maxListedRuns - rows.length)
    const found = await listRuns(viewer, projectId, filter, { ...page, limit, cursor })
    rows.push(...found.rows)
    if (found.nextCursor === null || rows.length >= maxListedRuns) return { rows, nextCursor: found.nextCursor }
    cursor = found.nextCursor
  }
}
