import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { AttentionList } from '@/components/projects/attention-list'
import { CreateProject } from '@/components/projects/create-project'
import styles from '@/components/projects/home.module.css'
import { HomeSide } from '@/components/projects/home-side'
import { NoProjects } from '@/components/projects/no-projects'
import { ProjectsTable } from '@/components/projects/projects-table'
import { PageBar } from '@/components/shell/page-bar'
import { Link } from '@/components/ui/links/link'
import { currentViewer, pageFrame } from './_server/pages/current-viewer'
import { requestOrigin } from './_server/http/request-origin'
import { loadHome } from './load-home'

export const metadata: Metadata = { title: 'All projects' }

interface Props {
  readonly searchParams: Promise<{ readonly new?: string | string[] }>
}

export default async function HomePage({ searchParams }: Props) {
  const viewer = await currentViewer()
  const origin = requestOrigin(await headers())
  const { projects, news, recent, attention } = await loadHome(viewer, (await pageFrame())?.projects ?? [])
  const nowMs = Date.now()
  const isNew = (await searchParams).new !== undefined
  if (projects.length === 0) return <NoProjects origin={origin} isProjectAsked={isNew} />
  return (
    <>
      <PageBar here="All projects" />
      <div className={`page grid ${styles.grid}`}>
        <div>
          <AttentionList {...attention} projects={projects} nowMs={nowMs} />
          <div className={`row ${styles.listhead}`}>
            <h2 className="text-14">Projects</h2>
            <span className="muted">{projects.length}</span>
            <Link href="/?new=1" className="button" data-command="New project">
              New project
            </Link>
          </div>
          {isNew && <CreateProject isAsked />}
          <ProjectsTable projects={projects} news={news} nowMs={nowMs} />
        </div>
        <HomeSide origin={origin} slug={projects[0]?.slug ?? ''} uploads={recent} nowMs={nowMs} />
      </div>
    </>
  )
}
