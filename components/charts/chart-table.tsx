import styles from './chart-frame.module.css'
import { element, escapeText } from './markup'
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
      <table className="table" dangerouslySetInnerHTML={{ __html: tableMarkup(table) }} />
    </div>
  )
}

function tableMarkup({ head, rows }: PlotTable): string {
  const heads = head.map((cell, at) => {
    return element('th', { scope: 'col', class: at === 0 ? undefined : 'num' }, escapeText(cell))
  })
  const lines = rows.map((row) => {
    const cells = row.map((cell, at) => element('td', { class: at === 0 ? undefined : 'num' }, escapeText(cell)))
    return element('tr', {}, cells.join(''))
  })
  return element('thead', {}, element('tr', {}, heads.join(''))) + element('tbody', {}, lines.join(''))
}
