'use client'

import { Choice } from '../forms/choice'
import { useAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { useIsAllowed } from '../ui/actions/access'
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
  const mayEdit = useIsAllowed('edit')
  const { problem, act } = useAction()
  const assign = (account: string | null) =>
    act(() => callApi('POST', `/api/v1/projects/${projectSlug}/alerts/${alertId}/assign`, { account }))
  if (!mayEdit)
    return <p className={styles.assignee}>{assignee === null ? 'Not assigned' : `Assigned to ${assignee.name}`}</p>
  // The person has left the project since.
  const isGone = assignee !== null && people.every(({ id }) => id !== assignee.id)
  const options = [...people, ...(isGone ? [assignee] : [])].map(({ id, name }) => ({ value: id, name }))
  return (
    <div className={styles.assignee}>
      <label>
        Assigned to{' '}
        <Choice
          label="Assigned to"
          options={[{ value: '', name: 'no one' }, ...options]}
          value={assignee?.id ?? ''}
          onChange={(id) => void assign(id === '' ? null : id)}
        />
      </label>
      {problem !== null && <span role="alert">{problem}</span>}
    </div>
  )
}
