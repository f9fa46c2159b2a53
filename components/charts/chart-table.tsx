import styles from './chart-frame.module.css'
import type { PlotTable } from './plot-tables'

interface Props {
  readonly title: string
  readonly table: PlotTable
}

/** The figures behind a chart, folded: it works without JavaScript. */
export function ChartTable({ title, table }: Props) {
  return (
    <details>
      <summary>Show as table</summary>
      <TableRegion title={title} table={table} />
    </details>
  )
}

/** The figures behind a chart. */
export function TableRegion({ title, table }: Props) {
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label={`${title}, as table`}>
      <table className="table">
        <thead>
          <tr>
            {table.head.map((cell, at) => (
              <th key={at} scope="col" className={at === 0 ? undefined : 'num'}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} className={column === 0 ? undefined : 'num'}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
