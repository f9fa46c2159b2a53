import type { RecentUpload } from '@/components/projects/home-side'
import { loadAttention } from './load-attention'
import { keptNews } from './_server/pages/kept-news'
import type { ProjectNews } from '@/lib/project/project-news'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import type { Viewer } from '@/lib/viewer'
import { listProjects } from '@/prisma/queries/projects/projects'

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

/** The projects of the viewer, and what is new in each. `versions`: of projects in the viewer's frame. */
export async function loadHome(
  viewer: Viewer,
  versions: readonly { readonly id: string; readonly version: string }[],
): Promise<LoadedHome> {
  const named = await listProjects(viewer)
  const versionOf = new Map(versions.map(({ id, version }) => [id, version]))
  const news = await keptNews(
    viewer,
    named.map(({ id }) => ({ id, version: versionOf.get(id) ?? null })),
  )
  const projects = named.toSorted((a, b) => (b.latestRunAt ?? '').localeCompare(a.latestRunAt ?? ''))
  const recent = projects
    .flatMap((project) => (news.get(project.id)?.uploads ?? []).map((upload) => ({ ...upload, project })))
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, recentUploads)
  return { projects, news, recent, attention: await loadAttention(viewer, named, news) }
}
