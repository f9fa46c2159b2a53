'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import type { UploadProblem } from './problem'
import { sendUpload, type Sending } from './send-upload'

/** One file on its way. Bytes are those sent; `reading`: all are, the server reads them. */
export interface QueuedFile {
  readonly id: number
  readonly name: string
  readonly sizeBytes: number
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'sending'; readonly sentBytes: number }
    | { readonly kind: 'reading' }
    | { readonly kind: 'done'; readonly url: string; readonly runCount: number }
    | { readonly kind: 'failed'; readonly problem: UploadProblem }
    | { readonly kind: 'cancelled' }
}

export interface UploadQueue {
  readonly files: readonly QueuedFile[]
  readonly busy: boolean
  send(projectSlug: string, files: readonly File[]): void
  cancel(): void
  clear(): void
}

/** Sends files one after the other, then opens the first one's preview. A single read file leaves nothing behind. */
export function useUploadQueue(): UploadQueue {
  const router = useRouter()
  const [files, setFiles] = useState<readonly QueuedFile[]>([])
  const [busy, setBusy] = useState(false)
  const sending = useRef<Sending | null>(null)
  const stopped = useRef(false)
  const nextId = useRef(0)

  const setState = (id: number, state: QueuedFile['state']) =>
    setFiles((all) => all.map((file) => (file.id === id ? { ...file, state } : file)))

  async function sendAll(projectSlug: string, chosen: readonly File[]) {
    const queued = chosen.map((file) => ({ id: (nextId.current += 1), file }))
    setFiles(queued.map(({ id, file }) => ({ id, name: file.name, sizeBytes: file.size, state: { kind: 'waiting' } })))
    setBusy(true)
    stopped.current = false
    const urls: string[] = []
    for (const { id, file } of queued) {
      if (stopped.current) {
        setState(id, { kind: 'cancelled' })
        continue
      }
      setState(id, { kind: 'sending', sentBytes: 0 })
      sending.current = sendUpload(projectSlug, file, file.name, (sentBytes) =>
        setState(id, sentBytes >= file.size ? { kind: 'reading' } : { kind: 'sending', sentBytes }),
      )
      const answer = await sending.current.answer
      sending.current = null
      if (answer.kind === 'preview') urls.push(answer.url)
      if (answer.kind === 'preview') setState(id, { kind: 'done', url: answer.url, runCount: answer.runCount })
      else if (answer.kind === 'problem') setState(id, { kind: 'failed', problem: answer.problem })
      else setState(id, { kind: 'cancelled' })
    }
    setBusy(false)
    const [first] = urls
    if (first && queued.length === 1) setFiles([])
    if (first) router.push(first)
  }

  return {
    files,
    busy,
    send: (projectSlug, chosen) => {
      if (!busy && chosen.length > 0) void sendAll(projectSlug, chosen)
    },
    cancel: () => {
      stopped.current = true
      sending.current?.cancel()
    },
    clear: () => setFiles([]),
  }
}
