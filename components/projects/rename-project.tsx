'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import { callApi, sentenceOf } from '../ui/call-api'
import styles from '../settings/settings.module.css'

/** The project's name; its address stays. */
export function RenameProject({ slug, name }: { slug: string; name: string }) {
  const router = useRouter()
  const [said, setSaid] = useState<string | null>(null)

  const rename = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    try {
      await callApi('PATCH', `/api/v1/projects/${slug}`, { name: next })
      setSaid('Renamed')
      router.refresh()
    } catch (error) {
      setSaid(sentenceOf(error))
    }
  }
  return (
    <form className={styles.row} onSubmit={(event) => void rename(event)}>
      <input
        name="name"
        className="input"
        aria-label="Name of the project"
        defaultValue={name}
        required
        maxLength={100}
      />
      <button type="submit" className="button">
        Rename
      </button>
      <span role="status">{said}</span>
    </form>
  )
}
