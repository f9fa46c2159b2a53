'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { callApi } from '../ui/actions/call-api'
import { announceFailure } from '../ui/actions/toasts'
import { noteDrafts, settleDraft } from './draft-ledger'
import { sendUpload } from './send-upload'
import { cacheSentFile, sentFileOf } from './sent-files'
import styles from './draft/upload-remarks.module.css'

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

interface Props {
  readonly projectSlug: string
  readonly uploadId: string
  readonly name: string
  /** Lower-case hex, of the bytes as sent: only the same file can replace the draft. */
  readonly sentSha256: string
  /** What the draft does now with what looks like a secret. */
  readonly keepsSecrets: boolean
  /** What was masked, in a sentence without its end; null if nothing was. */
  readonly masked: string | null
}

/**
 * Lets a draft's sender keep the secrets of this file, or mask them again. A masked text is stored masked, so the file
 * is sent again: from this tab's memory, or chosen again.
 */
export function SecretsChoice({ projectSlug, uploadId, name, sentSha256, keepsSecrets, masked }: Props) {
  const router = useRouter()
  const chooser = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)

  const send = async (file: File) => {
    setBusy(true)
    const here = window.location.pathname
    const wish = { keepSecrets: !keepsSecrets, sha256: sentSha256 }
    const answer = await sendUpload(projectSlug, file, name, () => undefined, wish).answer
    setBusy(false)
    if (answer.kind !== 'preview') {
      const said = answer.kind === 'problem' ? answer.problem.detail : 'It was cancelled.'
      return announceFailure(new Error(`Nothing was changed. Was it the same file? ${said}`))
    }
    cacheSentFile(answer.url, file)
    noteDrafts([answer.url], here)
    settleDraft(here, 'discarded')
    router.replace(answer.url)
    await callApi('DELETE', `/api/v1/projects/${projectSlug}/uploads/${uploadId}`).catch(announceFailure)
  }
  const choose = () => {
    const file = sentFileOf(window.location.pathname)
    if (file) void send(file)
    else chooser.current?.click()
  }

  return (
    <section className={`notice grid gap-8 text-13 ${styles.secrets}`} aria-label="Secrets">
      <p className="flush">
        {keepsSecrets
          ? 'Secrets in this file are stored: anyone with access to this project or its files can read them. Shared links mask them.'
          : `${upperFirst(masked ?? '')}. If you keep it, anyone with access to this project or its files can read it. Shared links mask it.`}
      </p>
      <button type="button" className="button" disabled={busy} onClick={choose}>
        {busy ? 'Uploading again …' : keepsSecrets ? 'Mask these secrets' : 'Keep these secrets'}
      </button>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="Choose the same file again"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void send(file)
        }}
      />
    </section>
  )
}
