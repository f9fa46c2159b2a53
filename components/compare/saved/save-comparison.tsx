'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { ComparisonKind } from '@/lib/project/stored-comparisons'
import { useAction } from '../../ui/actions/action'
import { callApi, textOf } from '../../ui/actions/call-api'
import { IfAllowed } from '../../ui/actions/access'
import { NameForm } from './name-form'
import styles from './save-comparison.module.css'

interface Props {
  readonly projectSlug: string
  readonly kind: ComparisonKind
  /** As in the address; empty for a matrix. */
  readonly refs: string
  /** Proposed name. */
  readonly name: string
}

/** Saves what this page shows, including its address's view, under a name. */
export function SaveComparison({ projectSlug, kind, refs, name }: Props) {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const { problem, act } = useAction({ leaves: true })
  const save = (given: string) =>
    act(async () => {
      const body = { name: given, kind, refs, view: window.location.search.slice(1) }
      const saved = await callApi('POST', `/api/v1/projects/${projectSlug}/comparisons`, body)
      router.push(`/p/${projectSlug}/comparisons/${textOf(saved, 'id') ?? ''}`)
    })
  return (
    <IfAllowed need="edit">
      <span className="relative">
        <button
          type="button"
          className="button"
          data-command="Save this comparison"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          Save
        </button>
        {open && (
          <div className={`floating ${styles.popover}`}>
            <NameForm name={name} action="Save" onName={(given) => void save(given)} onCancel={() => setOpen(false)}>
              <span role="status" className="worse">
                {problem}
              </span>
            </NameForm>
          </div>
        )}
      </span>
    </IfAllowed>
  )
}
