import Link from 'next/link'
import type { RunPageRequest, RunRow, RunSortKey } from '@/lib/stored'
import { LabelChips } from '../ui/chip'
import { Time } from '../ui/time'
import { listHref } from './list-url'
import { runCell, runColumns } from './run-columns'
import { runName } from './run-name'
import styles from './runs-table.module.css'

interface RunsTableProps {
  readonly rows: readonly RunRow[]
  /** Path of the list, `/p/shop/runs`, and its present parameters. */
  readonly path: string
  readonly params: URLSearchParams
  readonly page: Pick<RunPageRequest, 'sort' | 'direction'>
  readonly nowMs: number
}

/** The history: one line a run, heads that sort, a box to tick per run (`name=run`). */
export function RunsTable({ rows, path, params, page, nowMs }: RunsTableProps) {
  const columns = runColumns(rows)
  const sortable = (sortKey: RunSortKey, text: string, isNumber: boolean) => {
    const here = page.sort === sortKey
    const flipped = page.direction === 'desc' ? 'asc' : 'desc'
    const href = listHref(path, params, { sort: sortKey, direction: here ? flipped : 'desc' })
    const order = page.direction === 'desc' ? 'descending' : 'ascending'
    return (
      <th key={sortKey} scope="col" className={isNumber ? 'num' : undefined} aria-sort={here ? order : undefined}>
        <Link href={href} className={here ? styles.sorted : 'muted'} prefetch={false}>
          {text}
          {here ? <span aria-hidden="true">{page.direction === 'desc' ? ' ↓' : ' ↑'}</span> : null}
        </Link>
      </th>
    )
  }
  return (
    <div className="table-scroll">
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
            <th scope="col">Environment</th>
            <th scope="col">Tool</th>
            {columns.map((column) => sortable(column.sortKey, column.head, true))}
            <th scope="col">Labels</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
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
                <Link href={`${path}/${row.id}`}>{runName(row)}</Link>
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
              <td>{row.environment ?? <span className="muted">–</span>}</td>
              <td>{row.tool}</td>
              {columns.map((column) => {
                const { text, title } = runCell(column, row)
                return (
                  <td key={column.sortKey} className="num" title={title}>
                    {text}
                  </td>
                )
              })}
              <td>
                <LabelChips
                  labels={row.labels}
                  hrefOf={(key, value) => listHref(path, params, { label: `${key}=${value}` })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
