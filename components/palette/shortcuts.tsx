'use client'

import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from '../ui/icon'
import { chooseTheme, type Theme } from '../ui/theme'
import { isField, keyIntent } from './key-intent'
import { pageCommands, pageItems, type PaletteItem, type PalettePage } from './palette-items'
import styles from './shortcuts.module.css'

// Fetched when first asked for: no page pays for them.
const Palette = lazy(async () => ({ default: (await import('./palette')).Palette }))
const HelpDialog = lazy(async () => ({ default: (await import('./help-dialog')).HelpDialog }))

interface Props {
  readonly pages: readonly PalettePage[]
  readonly projects: readonly PalettePage[]
  /** Whose runs are searched; null: none. */
  readonly projectSlug: string | null
}

/** The frame's keys (⌘K, `/`, `?`), and the button that says so. */
export function Shortcuts({ pages, projects, projectSlug }: Props) {
  const onMac = useSyncExternalStore(noSubscription, isMac, () => false)
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
      // Under a dialog the page does not answer.
      if (intent === null || event.defaultPrevented || document.querySelector('dialog:modal') !== null) return
      event.preventDefault()
      if (intent === 'help') return setOpen({ kind: 'help' })
      const search = intent === 'search' ? document.querySelector<HTMLInputElement>('main input[type=search]') : null
      if (search === null) return openPalette()
      search.focus()
      search.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })

  return (
    <>
      <button
        type="button"
        className={styles.button}
        onClick={openPalette}
        aria-keyshortcuts="Control+K Meta+K"
        title="Find pages, runs and actions"
      >
        <Icon name="search" />
        <span className="rail-word">Find</span>
        <kbd className={styles.keys}>{onMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <Suspense fallback={null}>
        {open?.kind === 'palette' && (
          <Palette
            items={open.items}
            projectSlug={projectSlug}
            onClose={() => setOpen((now) => (now?.kind === 'help' ? now : null))}
          />
        )}
        {open?.kind === 'help' && <HelpDialog isMac={onMac} onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  )
}

const noSubscription = () => () => undefined
const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)
