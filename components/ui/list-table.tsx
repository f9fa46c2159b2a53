import type { ReactNode } from 'react'

interface Props {
  /** Name of the list, for screen readers. */
  readonly label: string
  /** Heads of the columns; `actions`: a column of buttons, named for screen readers only. */
  readonly head: readonly string[]
  /** Heads of columns that hold numbers. */
  readonly numbers?: readonly string[]
  readonly className?: string | undefined
  /**
   * On a narrow page, each row becomes lines of its own, under its name; numbers have `data-label`. Otherwise the table
   * scrolls.
   */
  readonly isStacked?: boolean
  /** Rows of the body. */
  readonly children: ReactNode
}

/** A list as a table that scrolls by itself on a narrow page. */
export function ListTable({ label, head, numbers = [], className = '', isStacked = false, children }: Props) {
  return (
    <div className={`table-scroll ${className}`} tabIndex={0} role="region" aria-label={label}>
      <table className={isStacked ? 'table table-stacked' : 'table'}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {head.map((name, at) => (
              <th key={at} scope="col" className={numbers.includes(name) ? 'num' : undefined}>
                {name === actions ? <span className="visually-hidden">Actions</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** The head of a column of buttons. */
export const actions = 'actions'
