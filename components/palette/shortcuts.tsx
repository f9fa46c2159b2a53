'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { isField } from '../ui/is-field'
import { chooseTheme, type Theme } from '../ui/theme'
import { keyIntent } from './key-intent'
import { isMac, onPaletteAsked } from './palette-call'
import { isWithinReach, pageCommands, pageItems, type PaletteItem, type PalettePage } from './palette-items'

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
  const [open, setOpen] = useState<{ kind: 'palette'; items: readonly PaletteItem[] } | { kind: 'help' } | null>(null)

  const openPalette = () => {
    const theme = (chosen: Theme, name: string): PaletteItem => {
      const does = { kind: 'run', action: () => chooseTheme(chosen) } as const
      return { id: `theme ${chosen}`, group: 'Actions', name, detail: null, does }
    }
    const help: PaletteItem = {
      id: 'help',
      group: 'Actions',
      name: 'Show keyboard shortcuts',
      detail: '?',
      does: { kind: 'run', action: () => setOpen({ kind: 'help' }) },
    }
    setOpen({
      kind: 'palette',
      items: [
        ...pageCommands(document),
        ...pageItems(pages, 'Go to'),
        theme('light', 'Use the light theme'),
        theme('dark', 'Use the dark theme'),
        theme('system', 'Use the theme of the system'),
        help,
        ...pageItems(projects, 'Projects'),
      ],
    })
  }

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
      if (intent === 'help') return setOpen({ kind: 'help' })
      const search = intent === 'search' ? document.querySelector<HTMLInputElement>('main input[type=search]') : null
      if (search === null) return openPalette()
      search.focus()
      search.select()
    }
    document.addEventListener('keydown', onKey)
    const stop = onPaletteAsked(openPalette)
    return () => {
      document.removeEventListener('keydown', onKey)
      stop()
    }
  })

  return (
    <Suspense fallback={null}>
      {open?.kind === 'palette' && (
        <Palette
          items={open.items}
          projectSlug={projectSlug}
          onClose={() => setOpen((now) => (now?.kind === 'help' ? now : null))}
        />
      )}
      {open?.kind === 'help' && <HelpDialog isMac={isMac()} onClose={() => setOpen(null)} />}
    </Suspense>
  )
}

/** The link or button with this key: a visible one, or one in a menu that can be opened. */
const controlOf = (letter: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${letter}"]`)].find(isWithinReach)
