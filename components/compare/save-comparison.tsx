'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import type { ComparisonKind } from '@/lib/run/stored'
import { callApi, sentenceOf, textOf } from '../ui/call-api'
import styles from './save-comparison.module.css'

interface Props {
  readonly projectSlug: string
  readonly kind: ComparisonKind
  /** As in the address; empty for a matrix. */
  readonly refs: string
  /** Proposed name. */
  readonly name: string
}

/** Saves what this page shows, its address's view included, under a name. */
export function SaveComparison({ projectSlug, kind, refs, name }: Props) {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget).get('name')
    const view = window.location.search.slice(1)
    try {
      const body = { name: typeof given === 'string' ? given : '', kind, refs, view }
      const saved = await callApi('POST', `/api/v1/projects/${projectSlug}/comparisons`, body)
      router.push(`/p/${projectSlug}/comparisons/${textOf(saved, 'id') ?? ''}`)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  if (!open)
    return (
      <button type="button" className="button" data-command="Save this comparison" onClick={() => setOpen(true)}>
        Save …
      </button>
    )
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <input className="input" name="name" aria-label="Name" defaultValue={name} maxLength={200} required autoFocus />
      <button type="submit" className="button button-primary">
        Save
      </button>
      <button type="button" className="button" onClick={() => setOpen(false)}>
        Cancel
      </button>
      <span role="status" className="worse">
        {problem}
      </span>
    </form>
  )
}
