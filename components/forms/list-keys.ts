interface ListedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** What a key does to a list: opens it, goes to the option at a place, chooses the current one, or closes it. */
export type ListStep = 'open' | 'choose' | 'close' | { readonly goTo: number }

interface ListState {
  readonly isShown: boolean
  /** Place of the current option; -1: none is. */
  readonly active: number
  readonly count: number
}

/** What a key does; null: it is not the list's. Up and down go round. */
export function listStep(pressed: ListedKey, { isShown, active, count }: ListState): ListStep | null {
  const { key } = pressed
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    if (!isShown) return 'open'
    const from = active === -1 && key === 'ArrowUp' ? 0 : active
    return { goTo: (from + (key === 'ArrowDown' ? 1 : -1) + count) % count }
  }
  if (!isShown) return null
  if (key === 'Escape') return 'close'
  return key === 'Enter' && active >= 0 && !pressed.ctrlKey && !pressed.metaKey ? 'choose' : null
}

/** What a key does beyond that where nothing is typed into the field: it is a button with a list. */
export function choiceStep(pressed: ListedKey, state: ListState): ListStep | null {
  const { key } = pressed
  if (key === ' ' || key === 'Enter') return state.isShown ? 'choose' : 'open'
  if (key === 'Home' || key === 'End') return { goTo: key === 'Home' ? 0 : state.count - 1 }
  // The choice is made, and the focus moves on.
  if (key === 'Tab') return state.isShown ? 'choose' : null
  return listStep(pressed, state)
}

/** Whether a key types a character. */
export const isCharacter = ({ key, ctrlKey, metaKey, altKey }: ListedKey): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

/**
 * The place of the next option that begins with what was typed, `from` on and round; -1: there is none. The same letter
 * again and again goes through those that begin with it.
 */
export function typedPlace(names: readonly string[], typed: string, from: number): number {
  const [first = ''] = typed
  const isRepeated = [...typed].every((letter) => letter === first)
  const wanted = (isRepeated ? first : typed).toLowerCase()
  const start = isRepeated ? from + 1 : Math.max(0, from)
  const places = names.map((_, at) => (start + at) % names.length)
  return places.find((at) => names[at]?.toLowerCase().startsWith(wanted)) ?? -1
}
