'use client'

import { useEffect, useEffectEvent } from 'react'
import { UploadStatus } from './upload-status'
import { useUploadQueue, type UploadQueue } from './use-upload-queue'

/** Sends the files that the window took, and shows the progress of each. `onReady`: takes files from now on. */
export function TakenFiles({ onReady }: { readonly onReady: (send: UploadQueue['send']) => void }) {
  const queue = useUploadQueue()
  const ready = useEffectEvent(() => onReady(queue.send))
  useEffect(() => ready(), [])
  return <UploadStatus files={queue.files} busy={queue.busy} onCancel={queue.cancel} onClose={queue.clear} />
}
