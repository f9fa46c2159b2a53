import { headers } from 'next/headers'
import { CreateProject } from '@/components/projects/create-project'
import styles from '@/components/projects/home.module.css'
import { LatestRuns } from '@/components/projects/latest-runs'
import { NoProjects } from '@/components/projects/no-projects'
import { ProjectsTable } from '@/components/projects/projects-table'
import { NoRuns } from '@/components/runs/no-runs'
import { listProjects } from '@/prisma/queries/projects'
import { listLatestRuns } from '@/prisma/queries/runs'
import { currentViewer } from './_server/http/current-viewer'
import { requestOrigin } from './_server/http/request-origin'

export default async function HomePage() {
  const viewer = await currentViewer()
  const [projects, runs] = await Promise.all([listProjects(viewer), listLatestRuns(viewer, 20)])
  const origin = requestOrigin(await headers())
  const nowMs = Date.now()
  const [first] = projects
  return (
    <div className="page">
      <h1 className="page-title">Projects</h1>
      <CreateProject />
      {first === undefined ? <NoProjects origin={origin} /> : <ProjectsTable projects={projects} nowMs={nowMs} />}
      {runs.length > 0 ? (
        <section className={styles.section}>
          <h2 className="section-title">Latest runs</h2>
          <LatestRuns runs={runs} projects={projects} nowMs={nowMs} />
        </section>
      ) : first !== undefined ? (
        <section className={styles.section}>
          <NoRuns origin={origin} slug={first.slug} />
        </section>
      ) : null}
    </div>
  )
}
