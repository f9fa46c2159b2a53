/** Stored on globalThis: the server script and Next's bundles are separate copies of this module in one process. */
const key = Symbol.for('tailboard.outage')

interface State {
  isAway: boolean
  /** When the background work last came forward, in ms of the monotonic clock; null: not yet. */
  workedAtMs: number | null
}

function state(): State {
  const holder = globalThis as { [key]?: State }
  return (holder[key] ??= { isAway: false, workedAtMs: null })
}

/** Whether the database does not respond, as far as this process knows: then no request is let through to it. */
export const isDatabaseAway = (): boolean => state().isAway

export function setDatabaseAway(isAway: boolean): void {
  state().isAway = isAway
}

/** The background work has come a step forward, or found nothing to do: however much waits, it is not stuck. */
export function noteWork(): void {
  state().workedAtMs = performance.now()
}

/** Milliseconds since the background work last came forward; null: not yet. */
export function sinceWorkMs(): number | null {
  const { workedAtMs } = state()
  return workedAtMs === null ? null : performance.now() - workedAtMs
}

/** In which a client should try again. */
export const outageRetrySeconds = 5
