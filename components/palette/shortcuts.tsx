'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { isField } from '../ui/is-field'
import { keyIntent } from './key-intent'
import { isMac, onPaletteOpened } from './open-palette'
import type { PalettePage } from './palette-items'
import { isWithinReach } from './within-reach'

// Loaded on first use: they cost no page anything.
const Palette = lazy(async () => ({ default: (await import('./palette')).Palette }))
const HelpDialog = lazy(async () => ({ default: (await import('./help-dialog')).HelpDialog }))

interface Props {
  readonly pages: readonly PalettePage[]
  readonly projects: readonly PalettePage[]
  /** The project whose runs are searched; null: none. */
  readonly projectSlug: string | null
}

/** The frame's keys: ⌘K, `/`, `?`, and the letters that controls of the page declare (`aria-keyshortcuts`). */
export function Shortcuts({ pages, projects, projectSlug }: Props) {
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)
  const openHelp = () => setOpen('help')
  const openPalette = () => setOpen('palette')
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const intent = keyIntent(event, isField(event.target))
      // Under a dialog, the page has no shortcuts.
      if (intent === null || event.defaultPrevented || document.querySelector('dialog:modal') !== null) return
      if (typeof intent === 'object') {
        const control = controlOf(intent.letter)
        // It may open a form: the letter must not be typed there.
        if (control !== undefined) event.preventDefault()
        return control?.click()
      }
      event.preventDefault()
      if (intent === 'help') return openHelp()
      const search = intent === 'search' ? document.querySelector<HTMLInputElement>('main input[type=search]') : null
      if (search === null) return openPalette()
      search.focus()
      search.select()
    }
    document.addEventListener('keydown', onKey)
    const stop = onPaletteOpened(openPalette)
    return () => {
      document.removeEventListener('keydown', onKey)
      stop()
    }
  })
  return (
    <Suspense fallback={null}>
      {open === 'palette' && (
        <Palette
          pages={pages}
          projects={projects}
          projectSlug={projectSlug}
          onHelp={openHelp}
          onClose={() => setOpen((now) => (now === 'help' ? now : null))}
        />
      )}
      {open === 'help' && <HelpDialog isMac={isMac()} onClose={() => setOpen(null)} />}
    </Suspense>
  )
}

/** The link or button with this key: a visible one, or one in a menu that can be opened. */
const controlOf = (letter: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${letter}"]`)].find(isWithinReach)
