/** Stored on globalThis: the server script and Next's bundles are separate copies of this module in one process. */
const key = Symbol.for('tailboard.outage')

interface State {
  isAway: boolean
  /** When the background work last made progress, in ms of the monotonic clock; null: not yet. */
  workedAtMs: number | null
}

function state(): State {
  const holder = globalThis as { [key]?: State }
  return (holder[key] ??= { isAway: false, workedAtMs: null })
}

/** Whether the database does not respond, as far as this process knows: then no request reaches it. */
export const isDatabaseAway = (): boolean => state().isAway

export function setDatabaseAway(isAway: boolean): void {
  state().isAway = isAway
}

/** The background work has made progress, or found nothing to do: however much waits, it is not stuck. */
export function noteWork(): void {
  state().workedAtMs = performance.now()
}

/** Milliseconds since the background work last made progress; null: not yet. */
export function sinceWorkMs(): number | null {
  const { workedAtMs } = state()
  return workedAtMs === null ? null : performance.now() - workedAtMs
}

/** Seconds after which a client should try again. */
export const outageRetrySeconds = 5
