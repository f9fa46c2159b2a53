import type { ReactNode } from 'react'
import { ListTable } from '../../ui/list-table'
import styles from './small-table.module.css'

export interface SmallTableRow {
  readonly key: string
  readonly name: ReactNode
  readonly title?: string | undefined
  readonly values: readonly string[]
}

interface SmallTableProps {
  readonly title: string
  /** Of the name column, then of the values. */
  readonly head: readonly [string, ...string[]]
  readonly rows: readonly SmallTableRow[]
  /** Shown below: where the figures come from. */
  readonly note?: string
}

/** A titled table of names and figures; nothing when it has no rows. */
export function SmallTable({ title, head, rows, note }: SmallTableProps) {
  if (rows.length === 0) return null
  const [, ...valueHeads] = head
  return (
    <section className={`slim ${styles.block}`}>
      <h2 className="section-title">{title}</h2>
      <ListTable label={title} head={head} numbers={valueHeads}>
        {rows.map(({ key, name, title: hover, values }) => (
          <tr key={key} title={hover}>
            <th scope="row" className={styles.text}>
              {name}
            </th>
            {values.map((text, index) => (
              <td key={valueHeads[index]} className="num">
                {text}
              </td>
            ))}
          </tr>
        ))}
      </ListTable>
      {note !== undefined && <p className="muted">{note}</p>}
    </section>
  )
}
