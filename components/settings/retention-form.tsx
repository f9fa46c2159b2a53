'use client'

import { Link } from '../ui/link'
import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import { trashDays, type Retention } from '@/lib/project/stored-trash'
import { callApi, sentenceOf } from '../ui/call-api'
import styles from './settings.module.css'

/** How long a project keeps raw files and runs. */
export function RetentionForm({ slug, retention }: { slug: string; retention: Retention }) {
  const router = useRouter()
  const [said, setSaid] = useState<string | null>(null)

  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const daysOf = (name: string) => {
      const text = form.get(name)
      return typeof text === 'string' && text.trim() !== '' ? Number(text) : null
    }
    try {
      const body = { keepRawDays: daysOf('keepRawDays'), keepRunsDays: daysOf('keepRunsDays') }
      await callApi('PUT', `/api/v1/projects/${slug}/retention`, body)
      setSaid('Saved')
      router.refresh()
    } catch (error) {
      setSaid(sentenceOf(error))
    }
  }
  const field = (name: keyof Retention, label: string) => (
    <label className={styles.days}>
      {label}
      <span>
        <input
          className="input"
          type="number"
          name={name}
          min={1}
          max={36_500}
          step={1}
          placeholder="forever"
          defaultValue={retention[name] ?? ''}
        />
        days
      </span>
    </label>
  )
  return (
    <form onSubmit={(event) => void save(event)}>
      <p className="muted">
        Empty: keep forever. Expired runs go to the <Link href={`/p/${slug}/trash`}>trash</Link> first, like runs
        deleted manually, for {trashDays} days. Baselines, and runs of open shares and saved comparisons, never expire.
      </p>
      <div className={styles.row}>
        {field('keepRunsDays', 'Keep runs for')}
        {field('keepRawDays', 'Keep raw files for')}
        <button type="submit" className="button">
          Save
        </button>
        <span role="status">{said}</span>
      </div>
    </form>
  )
}
