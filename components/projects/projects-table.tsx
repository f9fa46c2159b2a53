import { Link } from '../ui/link'
import { formatCount } from '@/lib/format'
import type { ProjectSummary } from '@/lib/run/stored'
import { actions, ListTable } from '../ui/list-table'
import { Time } from '../ui/time'
import styles from './home.module.css'

/** All projects: name, number of runs, time of the newest; renaming and deleting are on their settings page. */
export function ProjectsTable({ projects, nowMs }: { projects: readonly ProjectSummary[]; nowMs: number }) {
  return (
    <ListTable label="Projects" head={['Project', 'Runs', 'Newest run', actions]} numbers={['Runs']}>
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
    </ListTable>
  )
}
