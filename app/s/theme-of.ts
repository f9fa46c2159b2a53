/** The theme in an address (`?theme=dark`); null: none. */
export function themeOf(request: Request): 'light' | 'dark' | null {
  const theme = new URL(request.url).searchParams.get('theme')
  return theme === 'light' || theme === 'dark' ? theme : null
}
