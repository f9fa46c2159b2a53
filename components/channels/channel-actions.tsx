'use client'

import { ConfirmButton } from '../forms/confirm-button'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi, textOf } from '../ui/actions/call-api'
import styles from './channels.module.css'

interface Props {
  readonly slug: string
  readonly channelId: string
  readonly name: string
  readonly isEnabled: boolean
}

/** Tests a channel, turns it off and on, deletes it. */
export function ChannelActions({ slug, channelId, name, isEnabled }: Props) {
  const { isBusy, act } = useAnnouncedAction()
  const place = `/api/v1/projects/${slug}/channels/${channelId}`

  const test = async () => {
    const outcome = await callApi('POST', `${place}/test`)
    const error = textOf(outcome, 'error')
    if (error !== null) throw new Error(`The test was not delivered. ${error}`)
    return `Test delivered to “${name}”`
  }
  const turn = async () => {
    await callApi('PATCH', place, { isEnabled: !isEnabled })
    return isEnabled ? `“${name}” is disabled` : `“${name}” is enabled`
  }
  return (
    <div className={`flex end gap-8 ${styles.actions}`}>
      <button type="button" className="button" disabled={isBusy} onClick={() => void act(test)}>
        Send test
      </button>
      <button type="button" className="button" disabled={isBusy} onClick={() => void act(turn)}>
        {isEnabled ? 'Disable' : 'Enable'}
      </button>
      <ConfirmButton
        verb="Delete"
        name={name}
        consequence="with its delivery log"
        url={place}
        done={`“${name}” was deleted`}
      />
    </div>
  )
}

/** Sends a message of the log again. */
export function ReplayButton({ slug, deliveryId }: { readonly slug: string; readonly deliveryId: string }) {
  const { isBusy, act } = useAnnouncedAction()
  const replay = async () => {
    await callApi('POST', `/api/v1/projects/${slug}/deliveries/${deliveryId}/replay`)
    return 'The message is queued again'
  }
  return (
    <button type="button" className="button" disabled={isBusy} onClick={() => void act(replay)}>
      Send again
    </button>
  )
}
