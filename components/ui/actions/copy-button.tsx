'use client'

import { useState } from 'react'
import { announce, announceFailure } from './toasts'

interface Props {
  /** Null: the address of the page, which contains all of its state. */
  readonly text: string | null
  readonly label?: string
  /** Its name in the palette; absent: it is not there. */
  readonly command?: string
}

/** Copies a text, and confirms it for two seconds, also to screen readers. */
export function CopyButton({ text, label = 'Copy', command }: Props) {
  const [said, setSaid] = useState<string | null>(null)
  const say = (words: string) => {
    setSaid(words)
    setTimeout(() => setSaid(null), 2_000)
  }
  const copy = () =>
    navigator.clipboard.writeText(text ?? window.location.href).then(
      () => say('Copied'),
      () => say(`Could not copy: ${text === null ? 'use the address bar' : 'select the text instead'}`),
    )
  return (
    <button type="button" className="button" data-command={command} onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}

/** Copies the address of the page, which contains all of its state: an entry of a menu, which then closes. */
export function CopyLink() {
  const copy = () =>
    navigator.clipboard.writeText(window.location.href).then(
      () => announce('Link copied'),
      () => announceFailure(new Error('Could not copy: use the address bar.')),
    )
  return (
    <button type="button" data-command="Copy link" onClick={() => void copy()}>
      Copy link
    </button>
  )
}
