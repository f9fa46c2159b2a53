/** Says to other parts of a page that something was stored. */
const changed = 'tailboard-stored'

/** What this browser stores under a key; null: nothing, or it stores nothing at all. */
export function storedText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text under a key; null removes it. A browser that stores nothing is left alone. */
export function storeText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    return
  }
  window.dispatchEvent(new Event(changed))
}

/** Calls back when something was stored, here or in another tab; the result ends that. */
export function onStored(callback: () => void): () => void {
  window.addEventListener(changed, callback)
  window.addEventListener('storage', callback)
  return () => {
    window.removeEventListener(changed, callback)
    window.removeEventListener('storage', callback)
  }
}
