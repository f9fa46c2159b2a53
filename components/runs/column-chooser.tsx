'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { Menu } from '../ui/menu'
import { storedText, storeText } from './browser-store'
import { listHref } from './list-url'
import type { ColumnChoices } from './run-columns'
import styles from './runs-toolbar.module.css'

interface Props {
  readonly slug: string
  readonly path: string
  /** The current query string. */
  readonly query: string
  readonly groups: readonly ColumnChoices[]
  /** The columns are in the address. */
  readonly isChosen: boolean
}

/** The figures that the list has columns for: in the address, and stored in this browser for the next visit. */
export function ColumnChooser({ slug, path, query, groups, isChosen }: Props) {
  const router = useRouter()
  const key = `tailboard-columns:${slug}`
  const show = (columns: string | null) => {
    storeText(key, columns)
    router.replace(listHref(path, new URLSearchParams(query), { columns }), { scroll: false })
  }
  useEffect(() => {
    const columns = isChosen ? null : storedText(key)
    if (columns === null) return
    const params = new URLSearchParams(query)
    params.set('columns', columns)
    router.replace(`${path}?${params.toString()}`, { scroll: false })
  }, [key, isChosen, path, query, router])
  const params = new URLSearchParams(query)
  return (
    <Menu label="Columns" icon="columns" isNamed className="wide-only">
      <form
        action={path}
        className={`grid gap-8 ${styles.choices}`}
        onChange={({ currentTarget }) => {
          const ids = new FormData(currentTarget).getAll('columns').map(String)
          if (ids.length > 0) show(ids.join(','))
        }}
      >
        {[...params].map(([name, value]) =>
          name === 'columns' || name === 'cursor' ? null : (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ),
        )}
        {groups.map(({ group, choices }) => (
          <fieldset key={group}>
            <legend>{group}</legend>
            {choices.map(({ id, name, isShown }) => (
              <label key={`${id} ${isShown}`}>
                <input type="checkbox" name="columns" value={id} defaultChecked={isShown} />
                {name}
              </label>
            ))}
          </fieldset>
        ))}
        <button type="submit" className={`button ${styles.unscripted}`}>
          Show columns
        </button>
      </form>
      {isChosen ? (
        <button type="button" onClick={() => show(null)}>
          Default columns
        </button>
      ) : null}
    </Menu>
  )
}
