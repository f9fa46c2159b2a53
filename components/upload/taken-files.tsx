'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, useTransition } from 'react'
import { useLeaveWarning } from '../forms/leave-warning'
import { editedDraft, isOpenDraft, noteDrafts } from './draft-ledger'
import { manyUrl, maxFilesInTable } from './many-url'
import { sendUpload } from './send-upload'
import { cacheSentFile } from './sent-files'
import { UploadQueue } from './upload-queue'
import { UploadStatus } from './upload-status'

/**
 * Sends the files that the window took, shows the progress of each, then opens the preview. `onReady`:
 * takes files from now on.
 */
export function TakenFiles({ onReady }: { readonly onReady: (send: UploadQueue['send']) => void }) {
  const router = useRouter()
  const [isOpening, startOpening] = useTransition()
  // Previews on their way to the page: what is sent until then is shown with them.
  const opening = useRef<readonly string[]>([])
  useEffect(() => {
    if (!isOpening) opening.current = []
  }, [isOpening])
  const [queue] = useState(() => {
    const onSent = (sent: readonly string[], wasStopped: boolean) => {
      const urls = [...opening.current, ...sent]
      const [first] = urls
      if (sent.length === 0 || first === undefined || !mayOpen(urls, wasStopped)) return []
      const isTable = urls.length > 1 && urls.length <= maxFilesInTable
      opening.current = urls
      startOpening(() => router.push(isTable ? manyUrl(urls) : first))
      // One of too many: the others are reviewed from the list.
      return isTable || urls.length === 1 ? urls : []
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

/**
 * Notes previews. Whether they may be opened: not while one is being edited, whose edits would be lost, and not when the
 * rest was cancelled.
 */
function mayOpen(urls: readonly string[], wasStopped: boolean): boolean {
  const edited = editedDraft()
  noteDrafts(urls, edited)
  return edited === null && !wasStopped
}
