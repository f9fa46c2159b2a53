import { Link } from '../ui/link'
import type { ProjectSummary, RunRow } from '@/lib/run/stored'
import { runCell, runColumns } from '../runs/run-columns'
import { runName } from '../runs/run-name'
import { Time } from '../ui/time'
import styles from './home.module.css'

interface LatestRunsProps {
  readonly runs: readonly RunRow[]
  readonly projects: readonly ProjectSummary[]
  readonly nowMs: number
}

/** The newest runs of all projects, with the figures that lead a run. */
export function LatestRuns({ runs, projects, nowMs }: LatestRunsProps) {
  const columns = runColumns(runs)
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Latest runs">
      <table className="table">
        <caption className="visually-hidden">Latest runs</caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Project</th>
            <th scope="col">Time</th>
            <th scope="col">Tool</th>
            {columns.map((column) => (
              <th key={column.sortKey} scope="col" className="num">
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row" className={styles.name}>
                <Link href={`/p/${run.projectSlug}/runs/${run.id}`}>
                  {runName(run)}
                  {run.environment === null ? null : <span className="muted"> · {run.environment}</span>}
                </Link>
              </th>
              <td className={styles.project} title={names.get(run.projectId)}>
                {names.get(run.projectId) ?? run.projectSlug}
              </td>
              <td>
                <Time at={run.orderedAt} nowMs={nowMs} title={run.startedAt === null ? 'uploaded' : undefined} />
              </td>
              <td>{run.tool}</td>
              {columns.map((column) => {
                const { text, title } = runCell(column, run)
                return (
                  <td key={column.sortKey} className="num" title={title}>
                    {text}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
