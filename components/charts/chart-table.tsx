'use client'

import styles from './chart-frame.module.css'
import { Drawn } from './drawn'
import { element, joined, words, type Markup } from './markup'
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
        <Drawn as="thead" markup={rowMarkup('th', table.head)} />
        <Drawn as="tbody" markup={joined(...table.rows.map((row) => rowMarkup('td', row)))} />
      </table>
    </div>
  )
}

function rowMarkup(name: 'th' | 'td', row: readonly string[]): Markup {
  const scope = name === 'th' ? 'col' : undefined
  const cells = row.map((cell, at) => element(name, { scope, class: at === 0 ? undefined : 'num' }, words(cell)))
  return element('tr', {}, joined(...cells))
}
