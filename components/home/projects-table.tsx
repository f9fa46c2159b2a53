import Link from 'next/link'
import { formatCount } from '@/lib/format'
import type { ProjectSummary } from '@/lib/stored'
import { Time } from '../ui/time'
import styles from './home.module.css'

/** All projects: name, number of runs, time of the newest; renaming and deleting are on their settings page. */
export function ProjectsTable({ projects, nowMs }: { projects: readonly ProjectSummary[]; nowMs: number }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Projects">
      <table className="table">
        <caption className="visually-hidden">Projects</caption>
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col" className="num">
              Runs
            </th>
            <th scope="col">Newest run</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {projects.map((project) => (
            <tr key={project.id}>
              <th scope="row" className={styles.name}>
                <Link href={`/p/${project.slug}/runs`}>{project.name}</Link>
              </th>
              <td className="num">{formatCount(project.runCount)}</td>
              <td>
                {project.latestRunAt === null ? (
                  <span className="muted" title="The project has no runs yet">
                    –
                  </span>
                ) : (
                  <Time at={project.latestRunAt} nowMs={nowMs} />
                )}
              </td>
              <td className="num">
                <Link href={`/p/${project.slug}/settings`} aria-label={`Rename or delete ${project.name}`}>
                  Rename or delete
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
