import { Link } from '../ui/link'
import type { ProjectSummary, RunRow } from '@/lib/run/stored'
import { runCell, runColumns } from '../runs/run-columns'
import { runName } from '../runs/run-name'
import { ListTable } from '../ui/list-table'
import { StateMark } from '../ui/state-mark'
import { Time } from '../ui/time'
import styles from './home.module.css'

interface LatestRunsProps {
  /** What the table is called by, for who hears it. */
  readonly label: string
  readonly runs: readonly RunRow[]
  readonly projects: readonly ProjectSummary[]
  readonly nowMs: number
}

/** Runs of several projects, newest first, with the figures that lead a run. */
export function LatestRuns({ label, runs, projects, nowMs }: LatestRunsProps) {
  const columns = runColumns(runs)
  const heads = columns.map(({ head }) => head)
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  return (
    <ListTable label={label} head={['Run', 'Project', 'State', 'Time', 'Tool', ...heads]} numbers={heads}>
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
            <StateMark judged={run.judged} />
          </td>
          <td>
            <Time at={run.orderedAt} nowMs={nowMs} title={run.startedAt === null ? 'uploaded' : undefined} />
          </td>
          <td>{run.tool}</td>
          {columns.map((column) => {
            const { text, title } = runCell(column, run)
            return (
              <td key={column.metric.id} className="num" title={title}>
                {text}
              </td>
            )
          })}
        </tr>
      ))}
    </ListTable>
  )
}
