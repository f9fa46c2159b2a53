'use client'

import { roles, type Role } from '@/lib/viewer'
import { Choice } from '../forms/choice'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'

/** The roles to choose from. */
export const roleOptions = roles.map((role) => ({ value: role, name: role }))

interface Props {
  readonly url: string
  readonly name: string
  readonly role: Role
}

/** The role of a member, changed at once. */
export function MemberRole({ url, name, role }: Props) {
  const { act } = useAnnouncedAction()
  const change = (next: Role) =>
    act(async () => {
      await callApi('PATCH', url, { role: next })
      return `${name} is ${next} now`
    })
  // The current role is shown until the change is made.
  return <Choice label={`Role of ${name}`} options={roleOptions} value={role} onChange={(next) => void change(next)} />
}
