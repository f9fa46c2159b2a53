'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import { callApi, sentenceOf } from '../ui/call-api'
import styles from './account.module.css'

/** The name that stands beside what its account does; the e-mail address stays. */
export function NameForm({ name, email }: { readonly name: string; readonly email: string }) {
  const router = useRouter()
  const [said, setSaid] = useState<string | null>(null)
  const save = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    try {
      await callApi('PATCH', '/api/v1/account', { name: next })
      setSaid('Saved')
      router.refresh()
    } catch (error) {
      setSaid(sentenceOf(error))
    }
  }
  return (
    <form className={styles.row} onSubmit={(event) => void save(event)}>
      <label>
        Name
        <input name="name" className="input" autoComplete="name" defaultValue={name} required maxLength={200} />
      </label>
      <label>
        E-mail
        <input className="input" type="email" value={email} readOnly />
      </label>
      <button type="submit" className="button">
        Save
      </button>
      <span role="status">{said}</span>
    </form>
  )
}
