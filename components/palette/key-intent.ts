/** What a key does in the frame. */
export type KeyIntent = 'palette' | 'search' | 'help' | { readonly letter: string }

interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly isComposing: boolean
  readonly repeat: boolean
}

/**
 * ⌘K or Ctrl-K opens the palette, `/` goes to the search of a list, `?` shows the shortcuts, a letter or a dot presses
 * the control that names it; null for every other key. While a user types in a field, no key is a shortcut: Ctrl-K there is
 * the field's own.
 */
export function keyIntent(event: PressedKey, isTyping: boolean): KeyIntent | null {
  if (isTyping || event.isComposing || event.repeat || event.altKey) return null
  const command = event.ctrlKey || event.metaKey
  if (command) return event.key.toLowerCase() === 'k' && event.ctrlKey !== event.metaKey ? 'palette' : null
  if (/^[a-z.]$/.test(event.key)) return { letter: event.key.toUpperCase() }
  return event.key === '/' ? 'search' : event.key === '?' ? 'help' : null
}
