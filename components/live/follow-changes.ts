/** A stream that was opened. `version`: each that arrives; `ended`: once, with how the next attempt may be made. */
export interface StreamEvents {
  readonly version: (version: string) => void
  readonly ended: (next: NextAttempt) => void
}

/** `never`: the viewer may not read the project. A number: ms that the server asks for. Null: it says nothing. */
export type NextAttempt = 'never' | number | null

/** What following needs of its surroundings. */
export interface Surroundings {
  /** Opens a stream; the returned function closes it, and nothing is called after that. */
  readonly open: (events: StreamEvents) => () => void
  readonly isVisible: () => boolean
  /** Calls back when that changes; returns what ends it. */
  readonly onVisibility: (changed: () => void) => () => void
  /** Calls back after so many ms; returns what prevents it. */
  readonly later: (ms: number, then: () => void) => () => void
  /** From 0 to 1. */
  readonly random: () => number
}

/** A page that is left at once opens no stream. */
const firstMs = 1_000
const shortestMs = 1_000
const longestMs = 60_000

/**
 * Follows the version of a project while the page is visible: one stream at a time, reopened after a pause that doubles
 * with each failure, up to a minute, each a little different, so that not all pages return to a restarted server at
 * once. Calls `onChange` for each version other than the last one known. Returns what ends it.
 */
export function followChanges(version: string, onChange: (version: string) => void, around: Surroundings): () => void {
  let known = version
  let failures = 0
  let isRefused = false
  /** Ends what is in progress: a stream, or the pause before the next one. */
  let cease: (() => void) | null = null

  const wait = (ms: number) => {
    cease = around.later(ms, connect)
  }
  function connect(): void {
    cease = around.open({
      version(read) {
        failures = 0
        if (read === known) return
        known = read
        onChange(read)
      },
      ended(next) {
        cease = null
        isRefused = next === 'never'
        if (isRefused) return
        const ownMs = Math.min(longestMs, shortestMs * 2 ** failures) * (0.5 + around.random() / 2)
        failures += 1
        wait(Math.max(ownMs, typeof next === 'number' ? next : 0))
      },
    })
  }
  const look = () => {
    if (!around.isVisible()) {
      cease?.()
      cease = null
    } else if (cease === null && !isRefused) wait(failures === 0 ? 0 : shortestMs)
  }
  const stop = around.onVisibility(look)
  if (around.isVisible()) wait(firstMs)
  return () => {
    stop()
    cease?.()
  }
}
