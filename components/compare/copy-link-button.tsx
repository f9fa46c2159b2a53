'use client'

import { useState } from 'react'

/** Copies this page's address, which holds all of its state. */
export function CopyLinkButton() {
  const [said, setSaid] = useState<string | null>(null)
  const copy = () =>
    navigator.clipboard.writeText(window.location.href).then(
      () => setSaid('Copied'),
      () => setSaid('Could not copy: use the address bar'),
    )
  return (
    <button
      type="button"
      className="button"
      data-command="Copy link"
      onClick={() => void copy()}
      onBlur={() => setSaid(null)}
    >
      <span aria-live="polite">{said ?? 'Copy link'}</span>
    </button>
  )
}
