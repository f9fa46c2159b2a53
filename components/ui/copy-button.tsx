'use client'

import { useState } from 'react'

/** Copies `text`; says so for two seconds, also to screen readers. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [said, setSaid] = useState<string | null>(null)
  const say = (words: string) => {
    setSaid(words)
    setTimeout(() => setSaid(null), 2_000)
  }
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Could not copy: select the text instead'),
    )
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}
