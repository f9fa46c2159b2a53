import type { ReactNode } from 'react'

/** The head of a column that is more than a word. */
export interface Head {
  readonly name: string
  readonly content: ReactNode
  readonly sort?: 'ascending' | 'descending' | undefined
}

interface Props {
  /** Name of the list, for screen readers. */
  readonly label: string
  /** Heads of the columns; `actions`: a column of buttons, named for screen readers only. */
  readonly head: readonly (string | Head)[]
  /** Names of columns that hold numbers. */
  readonly numbers?: readonly string[]
  /** Of the region around the table. */
  readonly className?: string | undefined
  readonly tableClass?: string | undefined
  /**
   * On a narrow page, each row becomes lines of its own, under its name; numbers have `data-label`. Otherwise the table
   * scrolls.
   */
  readonly isStacked?: boolean
  /** Rows of the body. */
  readonly children: ReactNode
}

/** A list as a table that scrolls by itself on a narrow page. */
export function ListTable(props: Props) {
  const { label, head, numbers = [], className = '', tableClass = '', isStacked = false, children } = props
  return (
    <div className={`table-scroll ${className}`} tabIndex={0} role="region" aria-label={label}>
      <table className={['table', tableClass, isStacked ? 'table-stacked' : ''].filter(Boolean).join(' ')}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {head.map((one, at) => {
              const { name, content, sort } =
                typeof one === 'string' ? { name: one, content: one, sort: undefined } : one
              return (
                <th key={at} scope="col" className={numbers.includes(name) ? 'num' : undefined} aria-sort={sort}>
                  {name === actions ? <span className="visually-hidden">Actions</span> : content}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** The head of a column of buttons. */
export const actions = 'actions'
