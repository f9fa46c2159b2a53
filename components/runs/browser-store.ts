/** Event that notifies other parts of a page of a change in the store. */
const changed = 'tailboard-stored'

/** What this browser stores under a key; null: nothing, or it stores nothing at all. */
export function storedText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text under a key; null removes it. Does nothing in a browser without a store. */
export function storeText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    return
  }
  window.dispatchEvent(new Event(changed))
}

/** Calls back when something was stored, here or in another tab; returns a function that ends this. */
export function onStored(callback: () => void): () => void {
  window.addEventListener(changed, callback)
  window.addEventListener('storage', callback)
  return () => {
    window.removeEventListener(changed, callback)
    window.removeEventListener('storage', callback)
  }
}
