const shapes = { up: 'M4.5 0L9 8H0z', down: 'M4.5 8L0 0h9z' } as const

/** A small triangle; drawn, because not every system has a font with it. */
export function Arrow({ to }: { readonly to: 'up' | 'down' }) {
  return (
    <svg width={9} height={8} viewBox="0 0 9 8" fill="currentColor" aria-hidden="true">
      <path d={shapes[to]} />
    </svg>
  )
}

/** From one value to the next. */
export function To() {
  return (
    <svg width={12} height={8} viewBox="0 0 12 8" fill="none" stroke="currentColor" aria-label="to" role="img">
      <path d="M0 4h11M8 1l3 3-3 3" />
    </svg>
  )
}
