import type { FramedPlot } from './packed-plots'
import { tableOf } from './plot-tables'
import styles from './chart-frame.module.css'

/** The figures of a plot in the place of its drawing. */
export function PlotTable({ plot }: { plot: FramedPlot }) {
  const { head, rows } = tableOf(plot)
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label={`${plot.title}, as table`}>
      <table className="table">
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col" className="num">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} className="num">
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
