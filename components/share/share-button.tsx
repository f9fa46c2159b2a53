'use client'

import { lazy, Suspense, useState } from 'react'
import { IfAllowed } from '../ui/actions/access'
import type { SharedThing } from './share-dialog'

/** Loaded with the first press, or the pointer on its way: it costs no page anything. */
const loadDialog = () => import('./share-dialog')
const ShareDialog = lazy(async () => ({ default: (await loadDialog()).ShareDialog }))

/** Opens the dialog that makes a link to what this page shows now, including its address's view. */
export function ShareButton(thing: SharedThing) {
  const [open, setOpen] = useState(false)
  return (
    <IfAllowed need="edit">
      <button
        type="button"
        className="button"
        aria-haspopup="dialog"
        data-command="Share by link"
        onPointerEnter={() => void loadDialog()}
        onClick={() => setOpen(true)}
      >
        Share
      </button>
      <Suspense>{open && <ShareDialog thing={thing} onClose={() => setOpen(false)} />}</Suspense>
    </IfAllowed>
  )
}
