import type { RecentUpload } from '@/components/projects/home-side'
import { projectNews, type NewsRun, type ProjectNews } from '@/lib/project/project-news'
import { loadAttention } from './load-attention'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import type { Viewer } from '@/lib/viewer'
import { listProjectNews, listProjects } from '@/prisma/queries/projects/projects'

/** Newest runs of each project that its line covers. */
const runsOfEach = 90
const recentUploads = 5

export interface LoadedHome {
  /** Those with the newest runs first. */
  readonly projects: readonly ProjectSummary[]
  /** By project id. */
  readonly news: ReadonlyMap<string, ProjectNews>
  /** Newest first. */
  readonly recent: readonly RecentUpload[]
  /** From the runs that the lines of projects cover, so that both agree. */
  readonly attention: Awaited<ReturnType<typeof loadAttention>>
}

/** The projects of the viewer, and what is new in each. */
export async function loadHome(viewer: Viewer): Promise<LoadedHome> {
  const named = await listProjects(viewer)
  const runs = await listProjectNews(viewer, named, runsOfEach)
  const byProject = new Map<string, NewsRun[]>(named.map(({ id }) => [id, []]))
  for (const run of runs) byProject.get(run.projectId)?.push(run)
  const news = new Map([...byProject].filter(([, own]) => own.length > 0).map(([id, own]) => [id, projectNews(own)]))
  const projects = named.toSorted((a, b) => (b.latestRunAt ?? '').localeCompare(a.latestRunAt ?? ''))
  const recent = projects
    .flatMap((project) => (news.get(project.id)?.uploads ?? []).map((upload) => ({ ...upload, project })))
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, recentUploads)
  return { projects, news, recent, attention: await loadAttention(viewer, named, runs) }
}
