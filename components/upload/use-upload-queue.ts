'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useLeaveWarning } from '../forms/leave-warning'
import { editedDraft, isOpenDraft, noteDrafts } from './draft-ledger'
import type { ReadProgress } from './follow-upload'
import type { UploadProblem } from './problem'
import { sendUpload, type Sending } from './send-upload'
import { cacheSentFile } from './sent-files'

/**
 * One file on its way. Bytes are those sent; `reading`: all are sent, and the server reads them. `read` null: it has
 * not reported.
 */
export interface QueuedFile {
  readonly id: number
  readonly name: string
  readonly sizeBytes: number
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'sending'; readonly sentBytes: number; readonly read: ReadProgress | null }
    | { readonly kind: 'reading'; readonly read: ReadProgress | null }
    | { readonly kind: 'done'; readonly url: string; readonly runCount: number }
    | { readonly kind: 'failed'; readonly problem: UploadProblem }
    | { readonly kind: 'cancelled' }
}

export interface UploadQueue {
  readonly files: readonly QueuedFile[]
  readonly busy: boolean
  /** While files are on their way, more are added to the end of the queue. */
  send(projectSlug: string, files: readonly File[]): void
  cancel(): void
  clear(): void
}

interface Waiting {
  readonly id: number
  readonly projectSlug: string
  readonly file: File
}

/**
 * Sends files one after the other, then opens the first one's preview, unless a preview is being edited: its edits
 * would be lost. The only file of the list disappears from it when its preview opens.
 */
export function useUploadQueue(): UploadQueue {
  const router = useRouter()
  const [files, setFiles] = useState<readonly QueuedFile[]>([])
  const [busy, setBusy] = useState(false)
  const sending = useRef<Sending | null>(null)
  const waiting = useRef<readonly Waiting[]>([])
  const working = useRef(false)
  const stopped = useRef(false)
  const nextId = useRef(0)

  // A reload or another site would end uploads in progress; pages of ours do not.
  useLeaveWarning(busy)

  const setState = (id: number, state: QueuedFile['state']) =>
    setFiles((all) => all.map((file) => (file.id === id ? { ...file, state } : file)))

  async function sendOne({ id, projectSlug, file }: Waiting): Promise<string | null> {
    setState(id, { kind: 'sending', sentBytes: 0, read: null })
    sending.current = sendUpload(projectSlug, file, file.name, ({ sentBytes, read }) =>
      setState(id, sentBytes >= file.size ? { kind: 'reading', read } : { kind: 'sending', sentBytes, read }),
    )
    const answer = await sending.current.answer
    sending.current = null
    if (answer.kind === 'cancelled') setState(id, { kind: 'cancelled' })
    else if (answer.kind === 'problem') setState(id, { kind: 'failed', problem: answer.problem })
    else {
      cacheSentFile(answer.url, file)
      setState(id, { kind: 'done', url: answer.url, runCount: answer.runCount })
    }
    return answer.kind === 'preview' ? answer.url : null
  }

  async function sendAll() {
    working.current = true
    setBusy(true)
    const urls: string[] = []
    for (let next = waiting.current[0]; next; next = waiting.current[0]) {
      waiting.current = waiting.current.slice(1)
      stopped.current = false
      const url = await sendOne(next)
      if (url) urls.push(url)
    }
    working.current = false
    setBusy(false)
    open(urls)
  }

  function open(urls: readonly string[]) {
    const [first] = urls
    if (!first) return
    const edited = editedDraft()
    noteDrafts(urls, edited)
    if (edited !== null || stopped.current) return
    setFiles((all) => (all.length === 1 ? [] : all))
    router.push(first)
  }

  function send(projectSlug: string, chosen: readonly File[]) {
    if (chosen.length === 0) return
    const added = chosen.map((file) => ({ id: (nextId.current += 1), projectSlug, file }))
    waiting.current = [...waiting.current, ...added]
    const joining = working.current
    setFiles((all) => [
      ...all.filter(({ state }) => joining || (state.kind === 'done' && isOpenDraft(state.url))),
      ...added.map(({ id, file }) => ({
        id,
        name: file.name,
        sizeBytes: file.size,
        state: { kind: 'waiting' } as const,
      })),
    ])
    if (!working.current) void sendAll()
  }

  return {
    files,
    busy,
    send,
    cancel: () => {
      stopped.current = true
      for (const { id } of waiting.current) setState(id, { kind: 'cancelled' })
      // Files dropped from now on are sent.
      waiting.current = []
      sending.current?.cancel()
    },
    clear: () => setFiles([]),
  }
}
