'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useLeaveWarning } from '../forms/leave-warning'
import { editedDraft, isOpenDraft, noteDrafts } from './draft-ledger'
import { sendUpload } from './send-upload'
import { cacheSentFile } from './sent-files'
import { UploadQueue } from './upload-queue'
import { UploadStatus } from './upload-status'

/**
 * Sends the files that the window took, shows the progress of each, then opens the first one's preview. `onReady`:
 * takes files from now on.
 */
export function TakenFiles({ onReady }: { readonly onReady: (send: UploadQueue['send']) => void }) {
  const router = useRouter()
  const [queue] = useState(() => {
    const onSent = (urls: readonly string[], wasStopped: boolean) => {
      const first = previewToOpen(urls, wasStopped)
      if (first !== null) router.push(first)
      return first !== null
    }
    return new UploadQueue({ sendUpload, onPreview: cacheSentFile, onSent, isOpen: isOpenDraft })
  })
  const { files, busy } = useSyncExternalStore(queue.subscribe, queue.view, queue.view)
  // A reload or another site would end uploads in progress; pages of ours do not.
  useLeaveWarning(busy)
  const ready = useEffectEvent(() => onReady(queue.send))
  useEffect(() => ready(), [])
  return <UploadStatus files={files} busy={busy} onCancel={queue.cancel} onClose={queue.clear} />
}

/** The first preview; null while one is being edited, whose edits would be lost, and when the rest was cancelled. */
function previewToOpen(urls: readonly string[], wasStopped: boolean): string | null {
  const [first] = urls
  if (first === undefined) return null
  const edited = editedDraft()
  noteDrafts(urls, edited)
  return edited === null && !wasStopped ? first : null
}
