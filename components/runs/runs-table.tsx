import Link from 'next/link'
import type { RunPageRequest, RunRepeat, RunRow, RunSortKey } from '@/lib/stored'
import { compareHref } from '../compare/compare-url'
import { LabelChips } from '../ui/chip'
import { Time } from '../ui/time'
import { listHref } from './list-url'
import { repeatsCell, runCell, runColumns } from './run-columns'
import { commonLabels, labelsInLine, runName } from './run-name'
import styles from './runs-table.module.css'

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

const mostCompared = 10
const noRepeats: ReadonlyMap<string, readonly RunRepeat[]> = new Map()

/** The newest repeats side by side, oldest first. */
const repeatsHref = (row: RunRow, repeats: readonly RunRepeat[]) => {
  const newest = repeats.slice(0, mostCompared).map((run) => run.id)
  return compareHref(row.projectSlug, newest.reverse(), '')
}

/** The history: one line a run or an experiment, heads that sort, a box to tick per line (`name=run`). */
export function RunsTable({ rows, path, params, page, nowMs, repeats = noRepeats }: RunsTableProps) {
  const columns = runColumns(rows)
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
        <Link href={href} className={here ? styles.sorted : 'muted'} prefetch={false}>
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
          <span className="muted">All of these:</span> <LabelChips labels={common} hrefOf={labelHref} />
        </div>
      ) : null}
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Runs">
        <table className={`table ${styles.table}`}>
          <caption className="visually-hidden">Runs</caption>
          <thead>
            <tr>
              <td>
                <label>
                  <input type="checkbox" data-all="" aria-label="Tick all runs of this page" />
                </label>
              </td>
              <th scope="col">Run</th>
              {sortable('time', 'Time', false)}
              {withEnvironment ? <th scope="col">Environment</th> : null}
              <th scope="col">Tool</th>
              {columns.map((column) => sortable(column.sortKey, column.head, true))}
              {withLabels ? <th scope="col">Labels</th> : null}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const group = repeats.get(row.id) ?? []
              return (
                <tr key={row.id}>
                  <td>
                    <label>
                      <input
                        type="checkbox"
                        name="run"
                        value={row.id}
                        data-at={row.orderedAt}
                        aria-label={`Tick ${runName(row)}`}
                      />
                    </label>
                  </td>
                  <th scope="row" className={styles.who}>
                    <Link href={`${path}/${row.id}`} title={runName(row)}>
                      <span className={styles.name}>{runName(row)}</span>
                    </Link>
                    {group.length > 1 ? (
                      <Link
                        href={repeatsHref(row, group)}
                        className={`chip ${styles.repeats}`}
                        title={`Compare ${group.length > mostCompared ? `the newest ${mostCompared} of these` : 'these'} runs of one experiment`}
                        prefetch={false}
                      >
                        {group.length} runs
                      </Link>
                    ) : null}
                    {row.complete ? null : (
                      <span
                        className={`chip ${styles.cut}`}
                        title="The output ends early: these are the figures that could be read"
                      >
                        cut
                      </span>
                    )}
                  </th>
                  <td className={styles.when}>
                    <Time at={row.orderedAt} nowMs={nowMs} title={row.startedAt === null ? 'uploaded' : undefined} />
                  </td>
                  {withEnvironment ? (
                    <td className={styles.where} title={row.environment ?? undefined}>
                      {row.environment === null ? (
                        <span className="muted">–</span>
                      ) : (
                        <span className={styles.name}>{row.environment}</span>
                      )}
                    </td>
                  ) : null}
                  <td>{row.tool}</td>
                  {columns.map((column) => {
                    const { text, title, spread } =
                      group.length > 1 ? repeatsCell(column, group) : { ...runCell(column, row), spread: null }
                    return (
                      <td key={column.sortKey} className="num" title={title}>
                        {text}
                        {spread === null ? null : <small className={styles.spread}>{spread}</small>}
                      </td>
                    )
                  })}
                  {withLabels ? (
                    <td className={styles.labels}>
                      <LabelChips {...labelsInLine(row, common)} hrefOf={labelHref} />
                    </td>
                  ) : null}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}
