/** A request as in vegeta's CSV. */
export interface VegetaRow {
  readonly atMs: number
  readonly latencyNs: number
  readonly code: number
}

const startMs = Date.UTC(2026, 10, 21, 10)

/**
 * Results as `vegeta encode --to csv` writes them, for requests from 10:00 UTC on, in the order in which they started.
 */
export function vegetaCsv(rows: readonly VegetaRow[]): string {
  const inOrder = [...rows].sort((a, b) => a.atMs - b.atMs)
  const lines = inOrder.map(
    ({ atMs, latencyNs, code }, at) =>
      `${startMs + atMs}000000,${code},${latencyNs},10,1000,,,,${at},GET,http://127.0.0.1:8080/ping,\n`,
  )
  return lines.join('')
}

/** `count` requests evenly over `lengthMs`; each takes a nanosecond longer than the one before. */
export const steadyRows = (count: number, lengthMs: number, fromMs = 0, latencyNs = 5_000_000): readonly VegetaRow[] =>
  Array.from({ length: count }, (_, at) => ({
    atMs: Math.round(fromMs + (lengthMs * at) / (count - 1)),
    latencyNs: latencyNs + at,
    code: 200,
  }))
