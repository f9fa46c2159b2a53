import { defaultMetric } from '@/lib/run/metrics'
import type { RunPageRequest, RunPast, RunRepeat, RunRow, RunSortKey } from '@/lib/run/stored'
import { LabelChips } from '../ui/chip'
import { Icon } from '../ui/icon'
import { Link } from '../ui/link'
import { listHref } from './list-url'
import type { RunColumn } from './run-columns'
import { groupRuns, labelsOfGroup, showGroup, type Grouping } from './run-groups'
import { commonLabels } from './run-name'
import { RunRows } from './run-rows'
import styles from './runs-table.module.css'
import { showRun, type GroupedLines } from './shown-runs'

interface RunsTableProps {
  readonly rows: readonly RunRow[]
  readonly columns: readonly RunColumn[]
  readonly grouping: Grouping
  /** Path of the list, `/p/shop/runs`, and its current parameters. */
  readonly path: string
  readonly params: URLSearchParams
  readonly page: Pick<RunPageRequest, 'sort' | 'direction'>
  readonly nowMs: number
  /** For each run that is the newest of several repeats, all of them, newest first. */
  readonly repeats: ReadonlyMap<string, readonly RunRepeat[]>
  readonly pasts: ReadonlyMap<string, RunPast>
  readonly repositoryUrl: string | null
}

/** The history: one line per run or experiment, heads that sort, a box to select per line (`name=run`). */
export function RunsTable(props: RunsTableProps) {
  const { rows, columns, grouping, path, params, page } = props
  const { common, environment } = sharedByAll(rows)
  const lines = linesOf(props, common)
  const runs = lines.flatMap((group) => group.runs)
  const withTime = grouping !== 'commit' && grouping !== 'upload'
  const withEnvironment = environment === null && rows.some((row) => row.environment !== null)
  const withLabels = runs.some(({ labels, folded }) => Object.keys({ ...labels, ...folded }).length > 0)
  const withStrips = runs.some(({ past }) => past !== undefined)
  const labelHref = (key: string, value: string) => listHref(path, params, { label: `${key}=${value}` })
  const sortable = (sortKey: RunSortKey, text: string) => {
    const here = page.sort === sortKey
    const flipped = page.direction === 'desc' ? 'asc' : 'desc'
    const order = { sort: sortKey, direction: here ? flipped : 'desc' }
    // Only lists by time have groups, and repeats in one line.
    const href = listHref(path, params, sortKey === 'time' ? order : { ...order, group: null })
    return (
      <Link href={href} className={here ? styles.sorted : 'muted'} title={`Sort by ${text.toLowerCase()}`}>
        {sortKey === 'state' ? (
          <>
            <Icon name="updown" />
            <span className="visually-hidden">State</span>
          </>
        ) : (
          text
        )}
        {here ? <span aria-hidden="true">{page.direction === 'desc' ? ' ↓' : ' ↑'}</span> : null}
      </Link>
    )
  }
  const sorting = (sortKey: RunSortKey | null) =>
    page.sort === sortKey ? (page.direction === 'desc' ? 'descending' : 'ascending') : undefined
  return (
    <>
      {Object.keys(common).length > 0 || environment !== null ? (
        <div className={styles.common}>
          <span className="muted">Shared by all:</span>{' '}
          {environment === null ? null : (
            <Link className="chip" href={listHref(path, params, { environment })}>
              {environment}
            </Link>
          )}{' '}
          <LabelChips labels={common} hrefOf={labelHref} />
        </div>
      ) : null}
      <div className={`table-scroll ${styles.scroll}`} tabIndex={0} role="region" aria-label="Runs">
        <table className={`table ${styles.table}`}>
          <caption className="visually-hidden">Runs</caption>
          <thead>
            <tr>
              <td className={styles.box}>
                <label>
                  <input type="checkbox" data-all="" aria-label="Select all runs on this page" />
                </label>
              </td>
              <th scope="col" className={styles.mark} aria-sort={sorting('state')}>
                {sortable('state', 'State')}
              </th>
              <th scope="col">Run</th>
              {withTime ? (
                <th scope="col" aria-sort={sorting('time')}>
                  {sortable('time', 'Time')}
                </th>
              ) : null}
              {withEnvironment ? <th scope="col">Environment</th> : null}
              {withStrips ? <th scope="col">{defaultMetric.shortLabel}, 20 runs to here</th> : null}
              {columns.map(({ metric, head, sortKey }) => (
                <th key={metric.id} scope="col" className="num" aria-sort={sorting(sortKey)}>
                  {sortKey === null ? head : sortable(sortKey, head)}
                </th>
              ))}
              <th scope="col">Tool</th>
              {withLabels ? <th scope="col">Labels</th> : null}
            </tr>
          </thead>
          <RunRows
            lines={lines}
            path={path}
            query={params.toString()}
            metricName={defaultMetric.shortLabel}
            lead={leadOf(columns[0])}
            shown={{ withTime, withEnvironment, withStrips, withLabels }}
          />
        </table>
      </div>
    </>
  )
}

/** Name and unit of the first figure, for rows without a head. */
const leadOf = (column: RunColumn | undefined) =>
  column === undefined
    ? { name: '', unit: '' }
    : column.metric.unit === 'ms'
      ? { name: column.metric.shortLabel, unit: column.unit.label }
      : { name: column.head, unit: '' }

/** Labels shared by all runs, and their environment if they share one; null: they do not. */
function sharedByAll(rows: readonly RunRow[]) {
  const [first] = rows
  const isOne = rows.length > 1 && rows.every((row) => row.environment === first?.environment)
  return { common: commonLabels(rows), environment: isOne ? (first?.environment ?? null) : null }
}

function linesOf(
  { rows, columns, grouping, nowMs, repeats, pasts, repositoryUrl }: RunsTableProps,
  common: Readonly<Record<string, string>>,
): readonly GroupedLines[] {
  const show = (row: RunRow, known: Readonly<Record<string, string>>) =>
    showRun(row, { columns, common: known, repeats: repeats.get(row.id) ?? [], past: pasts.get(row.id), nowMs })
  if (grouping !== 'commit' && grouping !== 'upload')
    return [{ head: null, runs: rows.map((row) => show(row, common)) }]
  return [...groupRuns(rows, grouping)].map(([key, runs]) => {
    const known = { ...common, ...labelsOfGroup(runs) }
    const head = showGroup(key, runs, { pasts, common, repositoryUrl })
    return { head, runs: runs.map((row) => show(row, known)) }
  })
}
