'use client'

import { useSyncExternalStore } from 'react'
import { Link } from '../ui/links/link'
import { announce } from '../ui/actions/toasts'
import { onStored, storedText, storeText } from './browser-store'
import styles from './runs-toolbar.module.css'

interface Props {
  readonly slug: string
  readonly path: string
  /** The current query string. */
  readonly query: string
}

interface View {
  readonly name: string
  readonly query: string
}

const maxViews = 20

/** Lists with their filters, order and columns by name, stored in this browser: entries of a menu. */
export function SavedViews({ slug, path, query }: Props) {
  const key = `tailboard-views:${slug}`
  const text = useSyncExternalStore(
    onStored,
    () => storedText(key),
    () => null,
  )
  const views = readViews(text)
  const params = new URLSearchParams(query)
  params.delete('cursor')
  const here = params.toString()
  const current = views.find((view) => view.query === here)
  const write = (next: readonly View[]) => storeText(key, next.length === 0 ? null : JSON.stringify(next))
  return (
    <>
      <p>Saved views</p>
      {views.map((view) => (
        <Link key={view.name} href={`${path}?${view.query}`} aria-current={view === current ? 'true' : undefined}>
          {view.name}
        </Link>
      ))}
      {current !== undefined ? (
        <button type="button" onClick={() => write(views.filter((view) => view !== current))}>
          Remove “{current.name}”
        </button>
      ) : here === '' || views.length >= maxViews ? (
        <p>{here === '' ? 'Filter, sort or choose columns, then save that here.' : 'Remove one to save another.'}</p>
      ) : (
        <form
          className={`flex gap-6 ${styles.save}`}
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
            if (name === '') return
            write([...views.filter((view) => view.name !== name), { name, query: here }])
            announce(`View “${name}” saved`)
          }}
        >
          <input
            className="input"
            name="name"
            aria-label="Name of this view"
            placeholder="Name this view"
            maxLength={60}
          />
          <button type="submit" className="button">
            Save view
          </button>
        </form>
      )}
    </>
  )
}

function readViews(text: string | null): readonly View[] {
  if (text === null) return []
  try {
    const json: unknown = JSON.parse(text)
    return Array.isArray(json) ? json.flatMap(readView) : []
  } catch {
    return []
  }
}

function readView(json: unknown): readonly View[] {
  if (typeof json !== 'object' || json === null || !('name' in json) || !('query' in json)) return []
  return typeof json.name === 'string' && typeof json.query === 'string' ? [{ name: json.name, query: json.query }] : []
}
