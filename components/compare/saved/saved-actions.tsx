'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { Confirmation } from '../../forms/confirm-button'
import { useAnnouncedAction } from '../../ui/actions/action'
import { callApi } from '../../ui/actions/call-api'
import { useIsAllowed } from '../../ui/actions/access'
import { Menu } from '../../ui/menu'
import { NameForm } from './name-form'

interface Props {
  /** Of the saved comparison in the API. */
  readonly url: string
  readonly projectSlug: string
  readonly name: string
  /** The saved query string. */
  readonly view: string
}

/** Rename, save the view shown now, delete. */
export function SavedActions({ url, projectSlug, name, view }: Props) {
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
