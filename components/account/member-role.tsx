'use client'

import { useRouter } from 'next/navigation'
import { roles, type Role } from '@/lib/viewer'
import { callApi } from '../ui/call-api'
import { announce, announceFailure } from '../ui/toasts'

interface Props {
  readonly url: string
  readonly name: string
  readonly role: Role
}

/** The role of a member, changed at once. */
export function MemberRole({ url, name, role }: Props) {
  const router = useRouter()
  const change = async (next: string) => {
    try {
      await callApi('PATCH', url, { role: next })
      announce(`${name} is ${next} now`)
    } catch (error) {
      announceFailure(error)
    }
    router.refresh()
  }
  return (
    <select
      // A refused change shows what holds.
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
