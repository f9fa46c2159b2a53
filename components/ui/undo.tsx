'use client'

import { notifications } from '@mantine/notifications'
import { sentenceOf } from './call-api'

const closeButtonProps = { 'aria-label': 'Close' }

/** Says what was done. */
export function tell(message: string): void {
  notifications.show({ closeButtonProps, message })
}

/** Says what was done and offers to take it back for ten seconds. `undo` puts it back; `after` shows the result. */
export function offerUndo(message: string, undo: () => Promise<unknown>, after: () => void): void {
  const id = notifications.show({
    autoClose: 10_000,
    closeButtonProps,
    message: (
      <span style={{ display: 'flex', alignItems: 'center', gap: 12 }}>
        {message}
        <button
          type="button"
          className="button"
          onClick={() => {
            notifications.hide(id)
            undo().then(after, tellFailure)
          }}
        >
          Undo
        </button>
      </span>
    ),
  })
}

/** Shows why something was not done. */
export function tellFailure(error: unknown): void {
  notifications.show({ color: 'orange', autoClose: 10_000, closeButtonProps, message: sentenceOf(error) })
}
