'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { callApi } from '../ui/call-api'
import { May, useMay } from '../ui/may'
import { announce, announceFailure } from '../ui/toasts'
import styles from './trash.module.css'

interface TrashActionsProps {
  readonly slug: string
  /** Of the thing in the trash. */
  readonly name: string
  readonly runIds?: readonly string[]
  readonly uploadIds?: readonly string[]
}

/** Takes one thing out of the trash, or deletes it permanently, which is asked once more. */
export function TrashActions({ slug, name, runIds = [], uploadIds = [] }: TrashActionsProps) {
  const router = useRouter()
  const [isSure, setIsSure] = useState(false)
  const [busy, setBusy] = useState(false)
  const mayEdit = useMay('edit')

  const act = async (action: 'restore' | 'destroy') => {
    setBusy(true)
    try {
      await callApi('POST', `/api/v1/projects/${slug}/trash`, { action, runs: runIds, uploads: uploadIds })
      announce(action === 'restore' ? `${name} restored` : `${name} deleted permanently`)
      router.refresh()
    } catch (error) {
      announceFailure(error)
    }
    setBusy(false)
    setIsSure(false)
  }
  if (!mayEdit) return null
  return (
    <span className={styles.buttons}>
      {isSure ? (
        <>
          <button type="button" className="button" onClick={() => setIsSure(false)}>
            Cancel
          </button>
          <button
            type="button"
            className="button button-danger"
            disabled={busy}
            autoFocus
            aria-label={`Confirm: delete ${name} permanently`}
            onClick={() => void act('destroy')}
          >
            {' '}
            Confirm{' '}
          </button>
        </>
      ) : (
        <>
          <button
            type="button"
            className="button"
            disabled={busy}
            aria-label={`Restore ${name}`}
            onClick={() => void act('restore')}
          >
            Restore
          </button>
          <May need="administer">
            <button
              type="button"
              className="button button-danger"
              aria-label={`Delete ${name} permanently`}
              onClick={() => setIsSure(true)}
            >
              {' '}
              Delete permanently{' '}
            </button>
          </May>
        </>
      )}
    </span>
  )
}
