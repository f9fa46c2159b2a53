import { headers } from 'next/headers'
import { PageBar } from '@/components/shell/page-bar'
import { CreateProject } from '@/components/projects/create-project'
import styles from '@/components/projects/home.module.css'
import { LatestRuns } from '@/components/projects/latest-runs'
import { NoProjects } from '@/components/projects/no-projects'
import { ProjectsTable } from '@/components/projects/projects-table'
import { urgentRuns } from '@/components/projects/urgent-runs'
import { NoRuns } from '@/components/runs/no-runs'
import { inDocumentOrder } from '@/lib/run/document-order'
import { listProjects } from '@/prisma/queries/projects'
import { listLatestRuns } from '@/prisma/queries/runs'
import { currentViewer } from './_server/http/current-viewer'
import { requestOrigin } from './_server/http/request-origin'

/** Runs in the list; what needs attention is looked for among the newest of these many. */
const shownRuns = 20
const readRuns = 100

export default async function HomePage() {
  const viewer = await currentViewer()
  const [projects, runs] = await Promise.all([listProjects(viewer), listLatestRuns(viewer, readRuns)])
  const origin = requestOrigin(await headers())
  const nowMs = Date.now()
  const [first] = projects
  const urgent = urgentRuns(runs).slice(0, shownRuns)
  return (
    <>
      <PageBar here="All projects" isHeading />
      <div className="page">
        <CreateProject />
        {first === undefined ? <NoProjects origin={origin} /> : <ProjectsTable projects={projects} nowMs={nowMs} />}
        {urgent.length > 0 && (
          <section className={styles.section}>
            <h2 className="section-title">Needs attention</h2>
            <LatestRuns label="Runs that need attention" runs={urgent} projects={projects} nowMs={nowMs} />
          </section>
        )}
        {runs.length > 0 ? (
          <section className={styles.section}>
            <h2 className="section-title">Latest runs</h2>
            <LatestRuns
              label="Latest runs"
              runs={inDocumentOrder(runs).slice(0, shownRuns)}
              projects={projects}
              nowMs={nowMs}
            />
          </section>
        ) : first !== undefined ? (
          <section className={styles.section}>
            <NoRuns origin={origin} slug={first.slug} />
          </section>
        ) : null}
      </div>
    </>
  )
}
