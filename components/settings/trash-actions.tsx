'use client'

import { useState } from 'react'
import { useAnnouncedAction } from '../ui/action'
import { callApi } from '../ui/call-api'
import { May, useMay } from '../ui/may'
import styles from './trash.module.css'

interface TrashActionsProps {
  readonly slug: string
  /** Name of the thing in the trash. */
  readonly name: string
  readonly runIds?: readonly string[]
  readonly uploadIds?: readonly string[]
}

/** Takes one thing out of the trash, or deletes it permanently after a confirmation. */
export function TrashActions({ slug, name, runIds = [], uploadIds = [] }: TrashActionsProps) {
  const [isSure, setIsSure] = useState(false)
  const { isBusy, act } = useAnnouncedAction()
  const mayEdit = useMay('edit')

  const change = async (action: 'restore' | 'destroy') => {
    await act(async () => {
      await callApi('POST', `/api/v1/projects/${slug}/trash`, { action, runs: runIds, uploads: uploadIds })
      return action === 'restore' ? `${name} restored` : `${name} deleted permanently`
    })
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
            disabled={isBusy}
            autoFocus
            aria-label={`Confirm: delete ${name} permanently`}
            onClick={() => void change('destroy')}
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
            disabled={isBusy}
            aria-label={`Restore ${name}`}
            onClick={() => void change('restore')}
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
