const asked = 'tailboard:find'

/** Has the frame open the palette. */
export const openPalette = (): void => void document.dispatchEvent(new Event(asked))

/** Calls back when the palette is requested. Returns a function that ends it. */
export function onPaletteOpened(open: () => void): () => void {
  document.addEventListener(asked, open)
  return () => document.removeEventListener(asked, open)
}

/** Whether the command key is ⌘. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)
