'use client'

import { roles, type Role } from '@/lib/viewer'
import { useAnnouncedAction } from '../ui/action'
import { callApi } from '../ui/call-api'

interface Props {
  readonly url: string
  readonly name: string
  readonly role: Role
}

/** The role of a member, changed at once. */
export function MemberRole({ url, name, role }: Props) {
  const { act } = useAnnouncedAction()
  const change = (next: string) =>
    act(async () => {
      await callApi('PATCH', url, { role: next })
      return `${name} is ${next} now`
    })
  return (
    <select
      // A refused change shows the current role.
      key={role}
      className="select"
      aria-label={`Role of ${name}`}
      defaultValue={role}
      onChange={({ currentTarget }) => {
        void change(currentTarget.value)
        currentTarget.value = role
      }}
    >
      {roles.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  )
}
