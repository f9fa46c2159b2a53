import { LRUCache } from 'lru-cache'
import { groupBy } from '@/lib/group-by'
import { projectNews, type ProjectNews } from '@/lib/project/project-news'
import type { Viewer } from '@/lib/viewer'
import { listProjectNews } from '@/prisma/queries/projects/projects'

/** Newest runs of each project that its line covers. */
const runsOfEach = 90
/** Some 10 kB each. */
const keptProjects = 1_000

interface KeptNews {
  readonly version: string
  /** Null: the project has no runs. */
  readonly news: ProjectNews | null
}

/** On globalThis: a route may have its own copy of this module. */
const key = Symbol.for('tailboard.news')
function kept(): LRUCache<string, KeptNews> {
  const holder = globalThis as { [key]?: LRUCache<string, KeptNews> }
  return (holder[key] ??= new LRUCache({ max: keptProjects }))
}

/**
 * What is new in projects with runs, by id: those that the viewer may see. A project is read again once its version
 * changed: of hundreds of projects, few have since anyone last asked. `version`: of the viewer's frame, which has those
 * of the projects to be seen, and was read before; null: not there, so that the database decides.
 */
export async function keptNews(
  viewer: Viewer,
  projects: readonly { readonly id: string; readonly version: string | null }[],
): Promise<ReadonlyMap<string, ProjectNews>> {
  const changed = projects.filter(({ id, version }) => version === null || kept().get(id)?.version !== version)
  const byProject = groupBy(await listProjectNews(viewer, changed, runsOfEach), ({ projectId }) => projectId)
  const read = new Map(
    changed.map(({ id }) => {
      const runs = byProject.get(id)
      return [id, runs === undefined ? null : projectNews(runs)]
    }),
  )
  const found = projects.flatMap(({ id, version }): [string, ProjectNews][] => {
    const news = read.has(id) ? (read.get(id) ?? null) : (kept().get(id)?.news ?? null)
    if (version !== null && read.has(id)) kept().set(id, { version, news })
    return news === null ? [] : [[id, news]]
  })
  return new Map(found)
}
