'use client'

import { useState } from 'react'
import type { ChannelKind } from '@/lib/rules/stored-channels'
import { ActionForm } from '../forms/action-form'
import { Choice, type ChoiceOption } from '../forms/choice'
import type { Fields } from '../ui/actions/action'
import { callApi, textOf } from '../ui/actions/call-api'
import { CopyButton } from '../ui/actions/copy-button'
import styles from './channels.module.css'
import { kindWords } from './channel-words'

const placeholders: Readonly<Record<ChannelKind, string>> = {
  webhook: 'https://ops.example.com/hooks/tailboard',
  slack: 'https://hooks.slack.com/services/…',
  email: 'performance@example.com',
}

const kindOptions = (canMail: boolean): readonly ChoiceOption<ChannelKind>[] => [
  { value: 'slack', name: kindWords.slack },
  { value: 'webhook', name: kindWords.webhook },
  { value: 'email', name: canMail ? kindWords.email : 'E-mail (no mail server configured)', isDisabled: !canMail },
]

interface Props {
  readonly slug: string
  /** False: this server has no mail server to send with. */
  readonly canMail: boolean
}

/** Adds a channel; the secret of a webhook is shown once, here. */
export function ChannelForm({ slug, canMail }: Props) {
  const [kind, setKind] = useState<ChannelKind>('slack')
  const [secret, setSecret] = useState<string | null>(null)
  const send = async ({ text, reset }: Fields) => {
    const wanted = { kind, name: text('name'), target: text('target') }
    setSecret(textOf(await callApi('POST', `/api/v1/projects/${slug}/channels`, wanted), 'secret'))
    reset()
  }
  return (
    <>
      <ActionForm
        className={`flex wrap gap-12 ${styles.form}`}
        head={
          <label>
            Kind
            <Choice label="Kind" options={kindOptions(canMail)} value={kind} onChange={(next) => setKind(next)} />
          </label>
        }
        fields={[
          { name: 'name', label: 'Name', placeholder: '#performance', required: true, maxLength: 200 },
          {
            name: 'target',
            label: kind === 'email' ? 'Address' : 'URL',
            className: styles.target,
            type: kind === 'email' ? 'email' : 'url',
            placeholder: placeholders[kind],
            required: true,
            maxLength: 2_000,
            autoComplete: 'off',
          },
        ]}
        button="Add channel"
        send={send}
      />
      {secret !== null && (
        <div className={`card above-12 ${styles.secret}`} role="status">
          <p>
            <b>Copy this signing secret now:</b> it is not shown again. Receivers use it to verify messages, as
            specified by Standard Webhooks.
          </p>
          <code className="mono break">{secret}</code> <CopyButton text={secret} label="Copy secret" />
        </div>
      )}
    </>
  )
}
