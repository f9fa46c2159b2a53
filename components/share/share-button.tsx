'use client'

import { useState } from 'react'
import { IfAllowed } from '../ui/actions/access'
import { ShareDialog, type SharedThing } from './share-dialog'

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
        onClick={() => setOpen(true)}
      >
        Share
      </button>
      {open && <ShareDialog thing={thing} onClose={() => setOpen(false)} />}
    </IfAllowed>
  )
}
