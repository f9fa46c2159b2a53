'use client'

import { useRouter } from 'next/navigation'
import { useForm } from '../ui/action'
import { callApi, textOf } from '../ui/call-api'
import styles from './home.module.css'

interface Props {
  /** The user asked for it: its field gets the keyboard. */
  readonly isAsked?: boolean
}

/** A one-line form that makes a project and opens it. */
export function CreateProject({ isAsked = false }: Props) {
  const router = useRouter()
  const { isBusy, problem, onSubmit } = useForm(
    async ({ text }) => {
      const slug = textOf(await callApi('POST', '/api/v1/projects', { name: text('name') }), 'slug')
      router.push(slug === null ? '/' : `/p/${slug}`)
    },
    { leaves: true },
  )
  return (
    <form className={styles.create} onSubmit={onSubmit}>
      <input
        name="name"
        className="input"
        placeholder="New project, such as Checkout API"
        aria-label="Name of the new project"
        required
        autoFocus={isAsked}
        maxLength={100}
        aria-invalid={problem !== null}
        aria-describedby="create-problem"
      />
      <button type="submit" className="button" disabled={isBusy}>
        Create project
      </button>
      <span id="create-problem" role="status" className="worse">
        {problem}
      </span>
    </form>
  )
}
