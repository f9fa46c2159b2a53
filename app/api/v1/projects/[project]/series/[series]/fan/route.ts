import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { openFan } from '@/app/p/[project]/load-fan'
import { readBoardQuery, stripMetrics } from '@/components/board/board-url'
import { defaultMetric } from '@/lib/run/metrics'
import { grant } from '@/prisma/queries/projects/projects'

type Params = { project: string; series: string }

/** What the board shows of a series beside its rows. */
export const GET = route<Params>(async (request, params, viewer) => {
  const project = await grant(viewer, { slug: params.project }, 'read')
  const asked = readBoardQuery(Object.fromEntries(new URL(request.url).searchParams)).metric
  const metric = asked ?? stripMetrics[0] ?? defaultMetric
  return respondJson(await openFan(project, params.series, metric))
})
