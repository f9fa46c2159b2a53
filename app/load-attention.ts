import { attentionItems } from '@/components/projects/attention'
import { shownItems } from '@/components/projects/attention-list'
import { defaultMetric } from '@/lib/run/metrics'
import type { Viewer } from '@/lib/viewer'
import { listOpenAlerts } from '@/prisma/queries/alerts'
import { listLatestRuns, listPasts } from '@/prisma/queries/runs'

/** What needs attention is looked for among the newest of these many runs. */
const readRuns = 100

/** What needs attention in any project, and the series of what is shown of it. */
export async function loadAttention(viewer: Viewer) {
  const [runs, alerts] = await Promise.all([listLatestRuns(viewer, readRuns), listOpenAlerts(viewer, readRuns)])
  const items = attentionItems(runs, alerts)
  const shown = items.slice(0, shownItems)
  const pasts = await Promise.all(
    [...new Set(shown.map(({ projectId }) => projectId))].map((projectId) => {
      const own = shown.filter((item) => item.projectId === projectId).flatMap(({ runId }) => runId ?? [])
      return listPasts(viewer, projectId, own, defaultMetric)
    }),
  )
  return { items, pasts: new Map(pasts.flatMap((some) => [...some])) }
}
