import { Link } from '../ui/link'
import type { RunPageRequest, RunRepeat, RunRow, RunSortKey } from '@/lib/run/stored'
import { LabelChips } from '../ui/chip'
import { listHref } from './list-url'
import { runColumns } from './run-columns'
import { commonLabels } from './run-name'
import { RunRows } from './run-rows'
import styles from './runs-table.module.css'
import { showRun } from './shown-runs'

interface RunsTableProps {
  readonly rows: readonly RunRow[]
  /** Path of the list, `/p/shop/runs`, and its present parameters. */
  readonly path: string
  readonly params: URLSearchParams
  readonly page: Pick<RunPageRequest, 'sort' | 'direction'>
  readonly nowMs: number
  /** For each run that is the newest of several repeats all of them, newest first. */
  readonly repeats?: ReadonlyMap<string, readonly RunRepeat[]>
}

const noRepeats: ReadonlyMap<string, readonly RunRepeat[]> = new Map()

/** The history: one line a run or an experiment, heads that sort, a box to tick per line (`name=run`). */
export function RunsTable({ rows, path, params, page, nowMs, repeats = noRepeats }: RunsTableProps) {
  const columns = runColumns(rows, page.sort)
  const common = commonLabels(rows)
  const withEnvironment = rows.some((row) => row.environment !== null)
  const withLabels = rows.some((row) => Object.keys(row.labels).some((key) => common[key] === undefined))
  const labelHref = (key: string, value: string) => listHref(path, params, { label: `${key}=${value}` })
  const sortable = (sortKey: RunSortKey, text: string, isNumber: boolean) => {
    const here = page.sort === sortKey
    const flipped = page.direction === 'desc' ? 'asc' : 'desc'
    const order = { sort: sortKey, direction: here ? flipped : 'desc' }
    // Repeats are in one line by time only.
    const href = listHref(path, params, sortKey === 'time' ? order : { ...order, group: null })
    const ariaSort = page.direction === 'desc' ? 'descending' : 'ascending'
    return (
      <th key={sortKey} scope="col" className={isNumber ? 'num' : undefined} aria-sort={here ? ariaSort : undefined}>
        <Link href={href} className={here ? styles.sorted : 'muted'}>
          {text}
          {here ? <span aria-hidden="true">{page.direction === 'desc' ? ' ↓' : ' ↑'}</span> : null}
        </Link>
      </th>
    )
  }
  return (
    <>
      {Object.keys(common).length > 0 ? (
        <div className={styles.common}>
          <span className="muted">Shared by all:</span> <LabelChips labels={common} hrefOf={labelHref} />
        </div>
      ) : null}
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Runs">
        <table className={`table ${styles.table}`}>
          <caption className="visually-hidden">Runs</caption>
          <thead>
            <tr>
              <td>
                <label>
                  <input type="checkbox" data-all="" aria-label="Select all runs on this page" />
                </label>
              </td>
              <th scope="col">Run</th>
              {sortable('state', 'State', false)}
              {sortable('time', 'Time', false)}
              {withEnvironment ? <th scope="col">Environment</th> : null}
              <th scope="col">Tool</th>
              {columns.map((column) => sortable(column.metric.sortKey, column.head, true))}
              {withLabels ? <th scope="col">Labels</th> : null}
            </tr>
          </thead>
          <tbody>
            <RunRows
              rows={rows.map((row) => showRun(row, { columns, common, repeats: repeats.get(row.id) ?? [], nowMs }))}
              path={path}
              query={params.toString()}
              withEnvironment={withEnvironment}
              withLabels={withLabels}
            />
          </tbody>
        </table>
      </div>
    </>
  )
}
