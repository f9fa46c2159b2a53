import { attentionItems, ownItems } from '@/components/projects/attention'
import { shownItems } from '@/components/projects/attention-list'
import { defaultMetric } from '@/lib/run/metrics'
import type { ProjectNews } from '@/lib/project/project-news'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import type { Viewer } from '@/lib/viewer'
import { listOpenAlerts } from '@/prisma/queries/alerts/alerts'
import { grant } from '@/prisma/queries/projects/projects'
import { listPasts } from '@/prisma/queries/runs/runs'
import samples from '@/public/sample-data/index.json'

const readAlerts = 100

/** Slugs of the projects that were made with the sample data and still have its names. */
function sampleSlugs(projects: readonly ProjectSummary[]): ReadonlySet<string> {
  const isSample = ({ slug, name }: ProjectSummary) =>
    samples.some((sample) => sample.project === slug && sample.name === name)
  return new Set(projects.filter(isSample).map(({ slug }) => slug))
}

/** What needs attention in these projects and open alerts, and the series of the items shown. `news`: by project id. */
export async function loadAttention(
  viewer: Viewer,
  projects: readonly ProjectSummary[],
  news: ReadonlyMap<string, ProjectNews>,
) {
  const all = attentionItems([...news.values()], await listOpenAlerts(viewer, readAlerts))
  const withRuns = projects.filter(({ id }) => news.has(id))
  const items = ownItems(all, withRuns, sampleSlugs(projects))
  const shown = items.slice(0, shownItems)
  const pasts = await Promise.all(
    [...new Set(shown.map(({ projectId }) => projectId))].map(async (projectId) => {
      const own = shown.filter((item) => item.projectId === projectId).flatMap(({ runId }) => runId ?? [])
      return listPasts(await grant(viewer, { id: projectId }, 'read'), own, defaultMetric)
    }),
  )
  return { items, pasts: new Map(pasts.flatMap((some) => [...some])) }
}
