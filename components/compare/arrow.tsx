/** A small triangle; drawn, because not every system has a font with it. */
export function Arrow({ to }: { readonly to: 'up' | 'down' }) {
  return (
    <svg width="9" height="8" viewBox="0 0 9 8" fill="currentColor" aria-hidden="true">
      <path d={to === 'up' ? 'M4.5 0L9 8H0z' : 'M4.5 8L0 0h9z'} />
    </svg>
  )
}
