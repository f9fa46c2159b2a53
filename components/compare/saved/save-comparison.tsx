'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useState, type ReactNode } from 'react'
import type { ComparisonKind } from '@/lib/project/stored-comparisons'
import { Confirmation } from '../../forms/confirm-button'
import { useAction, useAnnouncedAction } from '../../ui/actions/action'
import { callApi, textOf } from '../../ui/actions/call-api'
import { IfAllowed, useIsAllowed } from '../../ui/actions/access'
import { Menu } from '../../ui/menu'
import styles from './save-comparison.module.css'

interface Props {
  readonly projectSlug: string
  readonly kind: ComparisonKind
  /** As in the address; empty for a matrix. */
  readonly refs: string
  /** Proposed name. */
  readonly name: string
}

/** Saves what this page shows, including its address's view, under a name. */
export function SaveComparison({ projectSlug, kind, refs, name }: Props) {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const { problem, act } = useAction({ leaves: true })
  const save = (given: string) =>
    act(async () => {
      const body = { name: given, kind, refs, view: window.location.search.slice(1) }
      const saved = await callApi('POST', `/api/v1/projects/${projectSlug}/comparisons`, body)
      router.push(`/p/${projectSlug}/comparisons/${textOf(saved, 'id') ?? ''}`)
    })
  return (
    <IfAllowed need="edit">
      <span className="relative">
        <button
          type="button"
          className="button"
          data-command="Save this comparison"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          Save
        </button>
        {open && (
          <div className={`floating ${styles.popover}`}>
            <NameForm name={name} action="Save" onName={(given) => void save(given)} onCancel={() => setOpen(false)}>
              <span role="status" className="worse">
                {problem}
              </span>
            </NameForm>
          </div>
        )}
      </span>
    </IfAllowed>
  )
}

interface ActionsProps {
  /** Of the saved comparison in the API. */
  readonly url: string
  readonly projectSlug: string
  readonly name: string
  /** The saved query string. */
  readonly view: string
}

/** Rename, save the view shown now, delete. */
export function SavedActions({ url, projectSlug, name, view }: ActionsProps) {
  const router = useRouter()
  const path = usePathname()
  const shown = useSearchParams().toString()
  const [renaming, setRenaming] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const mayEdit = useIsAllowed('edit')
  const { act } = useAnnouncedAction()
  const change = (edits: { readonly name?: string; readonly view?: string }) =>
    act(async () => {
      await callApi('PATCH', url, edits)
      setRenaming(false)
      router.replace(path)
      return null
    })
  if (!mayEdit) return null
  if (renaming)
    return (
      <NameForm
        name={name}
        action="Rename"
        onName={(given) => void change({ name: given })}
        onCancel={() => setRenaming(false)}
      />
    )
  return (
    <span className="row wrap gap-8">
      {shown !== '' && shown !== view && (
        <button type="button" className="button button-primary" onClick={() => void change({ view: shown })}>
          Save this view
        </button>
      )}
      {isAsked && (
        <Confirmation
          verb="Delete"
          name={`the comparison ${name}`}
          consequence="but keep its runs"
          url={url}
          done={`Comparison “${name}” deleted`}
          next={`/p/${projectSlug}/comparisons`}
          onClose={() => setIsAsked(false)}
        />
      )}
      <Menu label="More of this comparison">
        <button type="button" onClick={() => setRenaming(true)}>
          Rename
        </button>
        <button type="button" data-danger="" onClick={() => setIsAsked(true)}>
          Delete
        </button>
      </Menu>
    </span>
  )
}

interface NameFormProps {
  readonly name: string
  /** Label of the button. */
  readonly action: string
  onName(name: string): void
  onCancel(): void
  readonly children?: ReactNode
}

function NameForm({ name, action, onName, onCancel, children }: NameFormProps) {
  return (
    <form
      className="row wrap gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        onName(String(new FormData(event.currentTarget).get('name') ?? ''))
      }}
    >
      <input className="input" name="name" aria-label="Name" defaultValue={name} maxLength={200} required autoFocus />
      <button type="submit" className="button button-primary">
        {action}
      </button>
      <button type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
      {children}
    </form>
  )
}
