'use client'

import { useSyncExternalStore } from 'react'
import { Icon, type IconName } from '../ui/icon'
import { chooseTheme, chosenTheme, onThemeChange, type Theme } from '../ui/theme'
import styles from './theme-switch.module.css'

const themes: Readonly<Record<Theme, { readonly name: string; readonly icon: IconName; readonly next: Theme }>> = {
  system: { name: 'System theme', icon: 'contrast', next: 'light' },
  light: { name: 'Light theme', icon: 'sun', next: 'dark' },
  dark: { name: 'Dark theme', icon: 'moon', next: 'system' },
}

/** System, light, dark, and round again. `isNamed`: with its name, where there is no rail. */
export function ThemeSwitch({ isNamed = false }: { readonly isNamed?: boolean }) {
  // The server does not know the chosen theme; after hydration the button shows it.
  const { name, icon, next } = themes[useSyncExternalStore<Theme>(onThemeChange, chosenTheme, () => 'system')]
  return (
    <button
      type="button"
      className={isNamed ? undefined : `row muted full ${styles.switch}`}
      onClick={() => chooseTheme(next)}
      title={`${name}; switch to ${themes[next].name.toLowerCase()}`}
    >
      <Icon name={icon} />
      <span className={isNamed ? undefined : 'rail-word'}>{name}</span>
    </button>
  )
}
