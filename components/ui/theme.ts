/** The chosen theme; `system` follows the system's setting, including changes. */
export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'tailboard-theme'

/**
 * Sets the chosen theme before the first paint. Run inline by its nonce; without quotes and angle brackets, which React
 * would escape in a script's text.
 */
export const themeScript = `try{var theme=localStorage.getItem(\`${storageKey}\`);if(theme===\`light\`||theme===\`dark\`)document.documentElement.dataset.theme=theme}catch(none){}`

/** The same where no script runs before the page's own. */
export function showRememberedTheme(): void {
  try {
    const theme = localStorage.getItem(storageKey)
    if (theme === 'light' || theme === 'dark') show(theme)
  } catch {
    // As above: a browser without a store.
  }
}

/** The theme of this page, in the browser. */
export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Shows a theme (tokens.css reads `data-theme`), and remembers it if the browser allows that. */
export function chooseTheme(theme: Theme): void {
  show(theme)
  try {
    if (theme === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, theme)
  } catch {
    // A browser without a store shows the theme until the page is left.
  }
}

/** Calls back when the theme was chosen, here or in another tab. Returns a function that ends this. */
export function onThemeChange(changed: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // Without a key, the whole store was cleared.
    if (key === storageKey || key === null) show(newValue === 'light' || newValue === 'dark' ? newValue : 'system')
  }
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  window.addEventListener('storage', onStorage)
  return () => {
    observer.disconnect()
    window.removeEventListener('storage', onStorage)
  }
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
