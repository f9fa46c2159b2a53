'use client'

import { useState } from 'react'
import type { Account } from '@/lib/account/account'
import { useAnnouncedAction } from '../ui/action'
import { callApi } from '../ui/call-api'
import styles from './account.module.css'
import { RemoveButton } from './remove-button'

/**
 * Makes an account an owner or not, unlinks it from single sign-on, takes its right to sign in or gives it back; taking
 * a right needs a confirmation.
 */
export function AccountActions({ account: { id, name, isOwner, hasOidc, disabledAt } }: { readonly account: Account }) {
  const { act } = useAnnouncedAction()
  const [asked, setAsked] = useState<'owner' | 'disable' | null>(null)
  const change = async (edits: { readonly isOwner?: boolean; readonly isDisabled?: boolean }, done: string) => {
    await act(async () => {
      await callApi('PATCH', `/api/v1/accounts/${id}`, edits)
      return done
    })
    setAsked(null)
  }
  const disable = () => change({ isDisabled: true }, `${name} can no longer sign in`)
  const demote = () => change({ isOwner: false }, `${name} is no longer an owner`)
  return (
    <span className={styles.buttons}>
      {asked !== null && (
        <button
          type="button"
          className="button button-danger"
          onClick={() => void (asked === 'owner' ? demote() : disable())}
        >
          {asked === 'owner' ? 'Remove as owner?' : 'Disable and sign out?'}
        </button>
      )}
      {asked === null && (
        <button
          type="button"
          className="button"
          aria-label={`${isOwner ? 'Remove as owner' : 'Make an owner'}: ${name}`}
          onClick={() => (isOwner ? setAsked('owner') : void change({ isOwner: true }, `${name} is an owner now`))}
        >
          {isOwner ? 'Remove as owner' : 'Make an owner'}
        </button>
      )}
      {asked === null && hasOidc && (
        <RemoveButton
          url={`/api/v1/accounts/${id}/oidc`}
          verb="Unlink single sign-on"
          name={name}
          done={`${name} is no longer linked with single sign-on`}
        />
      )}
      {asked === null && (
        <button
          type="button"
          className={disabledAt === null ? 'button button-danger' : 'button'}
          aria-label={`${disabledAt === null ? 'Disable' : 'Enable'}: ${name}`}
          onClick={() =>
            disabledAt === null ? setAsked('disable') : void change({ isDisabled: false }, `${name} can sign in again`)
          }
        >
          {disabledAt === null ? 'Disable' : 'Enable'}
        </button>
      )}
    </span>
  )
}
