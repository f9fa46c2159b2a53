'use client'

import { useState } from 'react'
import type { ShareKind } from '@/lib/project/stored-shares'
import { ShareDialog } from './share-dialog'

export interface SharedThing {
  readonly projectSlug: string
  readonly kind: ShareKind
  /** Run ids, the base first; runs of one side repeat each other. Of a matrix one side holds all. */
  readonly sides: readonly (readonly string[])[]
  /** The name that the dialog proposes. */
  readonly name: string
  /** Markdown that the dialog proposes; empty: none. */
  readonly notes: string
  /** The query that the page shows, without `?`; absent: that of its address. */
  readonly view?: string
}

/** Opens the dialog that makes a link to what this page shows now, its address's view included. */
export function ShareButton(thing: SharedThing) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button"
        aria-haspopup="dialog"
        data-command="Share by link"
        onClick={() => setOpen(true)}
      >
        Share
      </button>
      {open && <ShareDialog thing={thing} onClose={() => setOpen(false)} />}
    </>
  )
}
