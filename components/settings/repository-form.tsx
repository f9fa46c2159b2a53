'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import { callApi, sentenceOf } from '../ui/call-api'
import styles from './settings.module.css'

/** Where a project's commits are seen. */
export function RepositoryForm({ slug, url }: { slug: string; url: string | null }) {
  const router = useRouter()
  const [said, setSaid] = useState<string | null>(null)

  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('repositoryUrl') ?? '').trim()
    try {
      await callApi('PATCH', `/api/v1/projects/${slug}`, { repositoryUrl: next === '' ? null : next })
      setSaid('Saved')
      router.refresh()
    } catch (error) {
      setSaid(sentenceOf(error))
    }
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      <p className="muted">Commits of alerts and labels link to /commit/… below this address. Empty: no links.</p>
      <div className={styles.row}>
        <input
          name="repositoryUrl"
          type="url"
          className="input"
          aria-label="URL of the repository"
          placeholder="https://github.com/owner/name"
          pattern="https://.*"
          defaultValue={url ?? ''}
          maxLength={500}
        />
        <button type="submit" className="button">
          Save
        </button>
        <span role="status">{said}</span>
      </div>
    </form>
  )
}
