import { attentionItems } from '@/components/projects/attention'
import { shownItems } from '@/components/projects/attention-list'
import { defaultMetric } from '@/lib/run/metrics'
import type { NewsRun } from '@/lib/project/project-news'
import type { Viewer } from '@/lib/viewer'
import { listOpenAlerts } from '@/prisma/queries/alerts/alerts'
import { grant } from '@/prisma/queries/projects/projects'
import { listPasts } from '@/prisma/queries/runs/runs'

const readAlerts = 100

/** What needs attention among these runs and open alerts, and the series of the items shown. */
export async function loadAttention(viewer: Viewer, runs: readonly NewsRun[]) {
  const items = attentionItems(runs, await listOpenAlerts(viewer, readAlerts))
  const shown = items.slice(0, shownItems)
  const pasts = await Promise.all(
    [...new Set(shown.map(({ projectId }) => projectId))].map(async (projectId) => {
      const own = shown.filter((item) => item.projectId === projectId).flatMap(({ runId }) => runId ?? [])
      return listPasts(await grant(viewer, { id: projectId }, 'read'), own, defaultMetric)
    }),
  )
  return { items, pasts: new Map(pasts.flatMap((some) => [...some])) }
}
