'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { plural } from '@/lib/format'
import { ActionForm } from '../forms/action-form'
import { callApi } from '../ui/actions/call-api'
import styles from '../settings/settings.module.css'

/** Deletes the project once its slug was typed: this cannot be undone. */
export function DeleteProject({ slug, runCount }: { slug: string; runCount: number }) {
  const router = useRouter()
  const [typed, setTyped] = useState('')
  return (
    <ActionForm
      className={styles.row}
      fields={[]}
      button="Delete project"
      tone="danger"
      isHeld={typed !== slug}
      leaves
      send={async () => {
        await callApi('DELETE', `/api/v1/projects/${slug}`)
        router.push('/')
      }}
    >
      <label className="grid gap-4">
        <span>
          Type <code>{slug}</code> to delete the project with its {plural(runCount, 'run')}. This cannot be undone
        </span>
        <input
          className="input"
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
    </ActionForm>
  )
}
