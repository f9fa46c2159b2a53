'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { isField } from '../ui/is-field'
import { chooseTheme, type Theme } from '../ui/theme'
import { keyIntent } from './key-intent'
import { isMac, onPaletteOpened } from './open-palette'
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

type Open = { readonly kind: 'palette'; readonly items: readonly PaletteItem[] } | { readonly kind: 'help' }

/** The frame's keys: ⌘K, `/`, `?`, and the letters that controls of the page declare (`aria-keyshortcuts`). */
export function Shortcuts({ pages, projects, projectSlug }: Props) {
  const [open, setOpen] = useState<Open | null>(null)
  const openHelp = () => setOpen({ kind: 'help' })
  const openPalette = () => setOpen({ kind: 'palette', items: itemsOf({ pages, projects }, openHelp) })
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

const themes: readonly (readonly [Theme, string])[] = [
  ['light', 'Use the light theme'],
  ['dark', 'Use the dark theme'],
  ['system', 'Use the theme of the system'],
]

/** What the palette offers before anything is typed. */
function itemsOf({ pages, projects }: Pick<Props, 'pages' | 'projects'>, openHelp: () => void): readonly PaletteItem[] {
  const action = (id: string, name: string, does: () => void, detail: string | null = null): PaletteItem => {
    return { id, group: 'Actions', name, detail, does: { kind: 'run', action: does } }
  }
  return [
    ...pageCommands(document),
    ...pageItems(pages, 'Go to'),
    ...themes.map(([theme, name]) => action(`theme ${theme}`, name, () => chooseTheme(theme))),
    action('help', 'Show keyboard shortcuts', openHelp, '?'),
    ...pageItems(projects, 'Projects'),
  ]
}

/** The link or button with this key: a visible one, or one in a menu that can be opened. */
const controlOf = (letter: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${letter}"]`)].find(isWithinReach)
