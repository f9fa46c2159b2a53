'use client'

import { useState } from 'react'
import { TableRegion } from './chart-table'
import styles from './chart-frame.module.css'
import type { PlotTable } from './plot-tables'

/** Where the tables of a page stand open: for who has no scripts, and to send a table to somebody. */
export interface TableAddress {
  readonly isOpen: boolean
  /** The address with all tables open. */
  readonly href: string
}

interface Props {
  readonly id: string
  readonly title: string
  readonly address: TableAddress
  readonly table: () => PlotTable
}

/** The figures behind a chart that is drawn from its numbers: made when it is opened, since they would be most of the page. */
export function TableFold({ id, title, address, table }: Props) {
  const [isOpen, setOpen] = useState(address.isOpen)
  return (
    <>
      {!address.isOpen && (
        <a href={`${address.href}#${id}`} className={styles.unscripted}>
          Show as table
        </a>
      )}
      <details
        id={id}
        open={isOpen}
        className={address.isOpen ? undefined : styles.scripted}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>Show as table</summary>
        {isOpen && <TableRegion title={title} table={table()} />}
      </details>
    </>
  )
}
