'use client'

import { useRouter } from 'next/navigation'
import { ActionForm } from '../forms/action-form'
import { callApi, textOf } from '../ui/actions/call-api'
import styles from './home.module.css'

interface Props {
  /** The user asked for it: its field gets the keyboard. */
  readonly isAsked?: boolean
}

/** A one-line form that makes a project and opens it. */
export function CreateProject({ isAsked = false }: Props) {
  const router = useRouter()
  const field = {
    name: 'name',
    label: 'Name of the new project',
    isBare: true,
    placeholder: 'New project, such as Checkout API',
    required: true,
    autoFocus: isAsked,
    maxLength: 100,
  }
  return (
    <ActionForm
      className={`row wrap gap-8 below-12 ${styles.create}`}
      fields={[field]}
      button="Create project"
      tone="plain"
      leaves
      send={async ({ text }) => {
        const slug = textOf(await callApi('POST', '/api/v1/projects', { name: text('name') }), 'slug')
        router.push(slug === null ? '/' : `/p/${slug}`)
      }}
    />
  )
}
