'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import { callApi } from '../ui/call-api'
import { tellFailure } from '../ui/toasts'
import styles from './save-comparison.module.css'

interface Props {
  /** Of the saved comparison in the API. */
  readonly url: string
  readonly projectSlug: string
  readonly name: string
  /** The saved query string. */
  readonly view: string
}

/** Rename, keep the view that is shown now, delete. */
export function SavedActions({ url, projectSlug, name, view }: Props) {
  const router = useRouter()
  const path = usePathname()
  const shown = useSearchParams().toString()
  const [renaming, setRenaming] = useState(false)
  const change = async (edits: { readonly name?: string; readonly view?: string }) => {
    try {
      await callApi('PATCH', url, edits)
      setRenaming(false)
      router.replace(path)
      router.refresh()
    } catch (error) {
      tellFailure(error)
    }
  }
  const remove = async () => {
    if (!window.confirm(`Delete the comparison “${name}”? Its runs stay.`)) return
    try {
      await callApi('DELETE', url)
      router.push(`/p/${projectSlug}/comparisons`)
      router.refresh()
    } catch (error) {
      tellFailure(error)
    }
  }
  const rename = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget).get('name')
    void change({ name: typeof given === 'string' ? given : '' })
  }
  if (renaming)
    return (
      <form className={styles.form} onSubmit={rename}>
        <input className="input" name="name" aria-label="Name" defaultValue={name} maxLength={200} required autoFocus />
        <button type="submit" className="button button-primary">
          Rename
        </button>
        <button type="button" className="button" onClick={() => setRenaming(false)}>
          Cancel
        </button>
      </form>
    )
  return (
    <span className={styles.form}>
      {shown !== '' && shown !== view && (
        <button type="button" className="button button-primary" onClick={() => void change({ view: shown })}>
          Save this view
        </button>
      )}
      <button type="button" className="button" onClick={() => setRenaming(true)}>
        Rename
      </button>
      <button type="button" className="button button-danger" onClick={() => void remove()}>
        Delete
      </button>
    </span>
  )
}
