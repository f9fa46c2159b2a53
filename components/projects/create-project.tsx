'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import { useAttempts } from '../ui/attempt'
import { callApi, textOf } from '../ui/call-api'
import styles from './home.module.css'

interface Props {
  /** Somebody asked for it: its field has the keyboard. */
  readonly isAsked?: boolean
}

/** One line that makes a project and goes to it. */
export function CreateProject({ isAsked = false }: Props) {
  const router = useRouter()
  const { problem, attempt } = useAttempts()
  const [busy, setBusy] = useState(false)

  const create = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    setBusy(true)
    const isMade = await attempt(async () => {
      const slug = textOf(await callApi('POST', '/api/v1/projects', { name }), 'slug')
      router.push(slug === null ? '/' : `/p/${slug}`)
      router.refresh()
    })
    if (!isMade) setBusy(false)
  }
  return (
    <form className={styles.create} onSubmit={(event) => void create(event)}>
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
      <button type="submit" className="button" disabled={busy}>
        Create project
      </button>
      <span id="create-problem" role="status" className="worse">
        {problem}
      </span>
    </form>
  )
}
