'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { callApi } from '../ui/call-api'
import { offerUndo, tell, tellFailure } from '../ui/undo'
import styles from './settings.module.css'

/** Reads an upload again with the importers of today, or puts it and its runs into the bin. */
export function UploadActions({ slug, uploadId, name }: { slug: string; uploadId: string; name: string }) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const api = `/api/v1/projects/${slug}/uploads/${uploadId}`
  const refresh = () => router.refresh()

  const reimport = async () => {
    setBusy(true)
    try {
      await callApi('POST', `${api}/reimport`)
      tell(`${name} was read again`)
      refresh()
    } catch (error) {
      tellFailure(error)
    }
    setBusy(false)
  }
  const remove = async () => {
    try {
      await callApi('DELETE', api)
      refresh()
      offerUndo(`${name} and its runs deleted`, () => callApi('POST', `${api}/restore`), refresh)
    } catch (error) {
      tellFailure(error)
    }
  }
  return (
    <span className={styles.buttons}>
      <a className="button" href={`${api}/raw`} download aria-label={`Download ${name}`}>
        Download
      </a>
      <button
        type="button"
        className="button"
        disabled={busy}
        aria-label={`Read ${name} again`}
        onClick={() => void reimport()}
      >
        Read again
      </button>
      <button
        type="button"
        className="button button-danger"
        aria-label={`Delete ${name}`}
        onClick={() => void remove()}
      >
        Delete
      </button>
    </span>
  )
}
