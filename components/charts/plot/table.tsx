import { RenderedMarkup, element, joined, words, type Markup } from '../../ui/markup'
import type { PlotTable } from './model'
import { unpack, type Packed, type TableColumns } from './sent/unpack'
import styles from './plot.module.css'

/** The figures behind a plot, in place of its drawing: as text, since none of them ever changes. */
export function TableRegion({ title, table }: { title: string; table: PlotTable }) {
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label={`${title}, as table`}>
      <table className="table">
        <RenderedMarkup as="thead" markup={rowMarkup('th', table.head)} />
        <RenderedMarkup as="tbody" markup={joined(...table.rows.map((row) => rowMarkup('td', row)))} />
      </table>
    </div>
  )
}

function rowMarkup(name: 'th' | 'td', row: readonly string[]): Markup {
  const scope = name === 'th' ? 'col' : undefined
  return element('tr', {}, joined(...row.map((cell) => element(name, { scope }, words(cell)))))
}

/** The unpacked table. */
export function unpackTable(sent: Packed<TableColumns>): PlotTable {
  const { head, columns } = unpack(sent)
  return { head, rows: (columns[0] ?? []).map((_, at) => columns.map((column) => column[at] ?? '')) }
}
