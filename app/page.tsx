import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { AttentionList } from '@/components/projects/attention-list'
import styles from '@/components/projects/home.module.css'
import { HomeSide } from '@/components/projects/home-side'
import { NoProjects } from '@/components/projects/no-projects'
import { ProjectsList } from '@/components/projects/projects-list'
import { readProjectsQuery } from '@/components/projects/projects-page'
import { PageBar } from '@/components/shell/page-bar'
import { currentViewer, pageFrame } from './_server/pages/current-viewer'
import { requestOrigin } from './_server/http/request-origin'
import { loadHome } from './load-home'

export const metadata: Metadata = { title: 'All projects' }

interface Props {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

export default async function HomePage({ searchParams }: Props) {
  const viewer = await currentViewer()
  const origin = requestOrigin(await headers())
  const { projects, news, recent, attention } = await loadHome(viewer, (await pageFrame())?.projects ?? [])
  const nowMs = Date.now()
  const params = await searchParams
  const isNew = params.new !== undefined
  if (projects.length === 0) return <NoProjects origin={origin} isProjectAsked={isNew} />
  return (
    <>
      <PageBar here="All projects" />
      <div className={`page grid ${styles.grid}`}>
        <div>
          <AttentionList {...attention} projects={projects} nowMs={nowMs} />
          <ProjectsList projects={projects} news={news} query={readProjectsQuery(params)} isNew={isNew} nowMs={nowMs} />
        </div>
        <HomeSide origin={origin} slug={projects[0]?.slug ?? ''} uploads={recent} nowMs={nowMs} />
      </div>
    </>
  )
}
