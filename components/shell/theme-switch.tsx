'use client'

import { useMantineColorScheme } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { Icon } from '../ui/icon'
import styles from './theme-switch.module.css'

const order = ['auto', 'light', 'dark'] as const
const names = { auto: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const
const noSubscription = () => () => undefined

/** System, light, dark, and round again. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  // The server does not know what was chosen; after hydration the button says it.
  const hydrated = useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  )
  const shown = hydrated ? colorScheme : 'auto'
  const next = order[(order.indexOf(shown) + 1) % order.length] ?? 'auto'
  return (
    <button
      type="button"
      className={styles.switch}
      onClick={() => setColorScheme(next)}
      title={`${names[shown]}; switch to ${names[next].toLowerCase()}`}
    >
      <Icon name={shown === 'dark' ? 'moon' : shown === 'light' ? 'sun' : 'contrast'} />
      <span className={styles.word}>{names[shown]}</span>
    </button>
  )
}
