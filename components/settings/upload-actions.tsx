'use client'

import { useRouter } from 'next/navigation'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { useIsAllowed } from '../ui/actions/access'
import { offerUndo } from '../ui/actions/toasts'

interface UploadActionsProps {
  readonly slug: string
  readonly uploadId: string
  readonly name: string
  /** False: the file was released, its runs remain. */
  readonly hasRaw: boolean
}

/** Reads an upload again with today's importers, or moves it and its runs to the trash. */
export function UploadActions({ slug, uploadId, name, hasRaw }: UploadActionsProps) {
  const router = useRouter()
  const { isBusy, act } = useAnnouncedAction()
  const mayEdit = useIsAllowed('edit')
  const api = `/api/v1/projects/${slug}/uploads/${uploadId}`

  const reimport = async () => {
    await callApi('POST', `${api}/reimport`)
    return `${name} imported again`
  }
  const remove = async () => {
    await callApi('DELETE', api)
    const restore = () => callApi('POST', `${api}/restore`)
    offerUndo(`${name} and its runs deleted`, restore, () => router.refresh())
    return null
  }
  return (
    <span className="flex end gap-8">
      {hasRaw ? (
        <>
          <a className="button" href={`${api}/raw`} download aria-label={`Download ${name}`}>
            Download
          </a>
          {mayEdit && (
            <button
              type="button"
              className="button"
              disabled={isBusy}
              aria-label={`Import ${name} again`}
              onClick={() => void act(reimport)}
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
          onClick={() => void act(remove)}
        >
          Delete
        </button>
      )}
    </span>
  )
}
