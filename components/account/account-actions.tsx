'use client'

import type { Account } from '@/lib/account/account'
import { ConfirmButton } from '../forms/confirm-button'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'

/**
 * Makes an account an owner or not, unlinks it from single sign-on, takes its right to sign in or gives it back; taking
 * a right needs a confirmation.
 */
export function AccountActions({ account: { id, name, isOwner, hasOidc, disabledAt } }: { readonly account: Account }) {
  const url = `/api/v1/accounts/${id}`
  const taking = { name, method: 'PATCH', url } as const
  return (
    <span className="flex wrap end gap-8 nowrap">
      {isOwner ? (
        <ConfirmButton
          {...taking}
          isCalm
          verb="Remove as owner"
          body={{ isOwner: false }}
          done={`${name} is no longer an owner`}
        />
      ) : (
        <GiveButton
          verb="Make an owner"
          name={name}
          url={url}
          body={{ isOwner: true }}
          done={`${name} is an owner now`}
        />
      )}
      {hasOidc && (
        <ConfirmButton
          url={`${url}/oidc`}
          verb="Unlink single sign-on"
          name={name}
          done={`${name} is no longer linked with single sign-on`}
        />
      )}
      {disabledAt === null ? (
        <ConfirmButton
          {...taking}
          verb="Disable"
          body={{ isDisabled: true }}
          consequence="and sign out"
          done={`${name} can no longer sign in`}
        />
      ) : (
        <GiveButton
          verb="Enable"
          name={name}
          url={url}
          body={{ isDisabled: false }}
          done={`${name} can sign in again`}
        />
      )}
    </span>
  )
}

interface GiveProps {
  readonly verb: string
  readonly name: string
  readonly url: string
  readonly body: unknown
  readonly done: string
}

/** Gives an account a right, at once. */
function GiveButton({ verb, name, url, body, done }: GiveProps) {
  const { isBusy, act } = useAnnouncedAction()
  const give = async () => {
    await callApi('PATCH', url, body)
    return done
  }
  return (
    <button
      type="button"
      className="button"
      disabled={isBusy}
      aria-label={`${verb}: ${name}`}
      onClick={() => void act(give)}
    >
      {verb}
    </button>
  )
}
