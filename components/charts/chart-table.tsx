import styles from './chart-frame.module.css'

interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The figures behind a chart, folded: it works without JavaScript. */
export function ChartTable({ title, table }: { title: string; table: Table }) {
  return (
    <details>
      <summary>Show as table</summary>
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
    </details>
  )
}
