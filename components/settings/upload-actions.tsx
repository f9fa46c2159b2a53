'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { callApi } from '../ui/call-api'
import { useMay } from '../ui/may'
import { offerUndo, announce, announceFailure } from '../ui/toasts'
import styles from './settings.module.css'

interface UploadActionsProps {
  readonly slug: string
  readonly uploadId: string
  readonly name: string
  /** False: the file was given up, its runs are there. */
  readonly hasRaw: boolean
}

/** Reads an upload again with the importers of today, or puts it and its runs into the trash. */
export function UploadActions({ slug, uploadId, name, hasRaw }: UploadActionsProps) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const mayEdit = useMay('edit')
  const api = `/api/v1/projects/${slug}/uploads/${uploadId}`
  const refresh = () => router.refresh()

  const reimport = async () => {
    setBusy(true)
    try {
      await callApi('POST', `${api}/reimport`)
      announce(`${name} imported again`)
      refresh()
    } catch (error) {
      announceFailure(error)
    }
    setBusy(false)
  }
  const remove = async () => {
    try {
      await callApi('DELETE', api)
      refresh()
      offerUndo(`${name} and its runs deleted`, () => callApi('POST', `${api}/restore`), refresh)
    } catch (error) {
      announceFailure(error)
    }
  }
  return (
    <span className={styles.buttons}>
      {hasRaw ? (
        <>
          <a className="button" href={`${api}/raw`} download aria-label={`Download ${name}`}>
            Download
          </a>
          {mayEdit && (
            <button
              type="button"
              className="button"
              disabled={busy}
              aria-label={`Import ${name} again`}
              onClick={() => void reimport()}
            >
              {' '}
              Import again{' '}
            </button>
          )}
        </>
      ) : (
        <span className="muted">file removed</span>
      )}
      {mayEdit && (
        <button
          type="button"
          className="button button-danger"
          aria-label={`Delete ${name}`}
          onClick={() => void remove()}
        >
          Delete
        </button>
      )}
    </span>
  )
}
