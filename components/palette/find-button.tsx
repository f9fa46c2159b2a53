'use client'

import { useSyncExternalStore } from 'react'
import { Icon } from '../ui/icon'
import styles from './find-button.module.css'
import { openPalette, isMac } from './open-palette'

/** Opens the palette; handled by the frame (shortcuts.tsx). */
export function FindButton() {
  const onMac = useSyncExternalStore(noSubscription, isMac, () => false)
  return (
    <button
      type="button"
      className={`inline-row gap-8 muted rigid ${styles.button}`}
      onClick={openPalette}
      aria-keyshortcuts="Control+K Meta+K"
      title="Find pages, runs and actions"
    >
      <Icon name="search" />
      <span className={styles.words}>Search or run a command</span>
      <kbd className={styles.keys}>{onMac ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  )
}

const noSubscription = () => () => undefined
