'use client'

import { useAction } from '../ui/action'
import { callApi } from '../ui/call-api'
import { useMay } from '../ui/may'
import styles from './alert.module.css'

export interface Assignee {
  readonly id: string
  readonly name: string
}

interface Props {
  readonly projectSlug: string
  readonly alertId: string
  /** Null: not assigned. */
  readonly assignee: Assignee | null
  /** Who may take it, by name. */
  readonly people: readonly Assignee[]
}

/** The person who takes care of an alert; viewers with the right can change it. */
export function AlertAssignee({ projectSlug, alertId, assignee, people }: Props) {
  const mayEdit = useMay('edit')
  const { problem, act } = useAction()
  const assign = (account: string | null) =>
    act(() => callApi('POST', `/api/v1/projects/${projectSlug}/alerts/${alertId}/assign`, { account }))
  if (!mayEdit)
    return <p className={styles.assignee}>{assignee === null ? 'Not assigned' : `Assigned to ${assignee.name}`}</p>
  // The person has left the project since.
  const isGone = assignee !== null && people.every(({ id }) => id !== assignee.id)
  return (
    <p className={styles.assignee}>
      <label>
        Assigned to{' '}
        <select
          key={assignee?.id ?? ''}
          className="select"
          defaultValue={assignee?.id ?? ''}
          onChange={({ currentTarget: { value } }) => void assign(value === '' ? null : value)}
        >
          <option value="">no one</option>
          {[...people, ...(isGone ? [assignee] : [])].map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {problem !== null && <span role="alert">{problem}</span>}
    </p>
  )
}
