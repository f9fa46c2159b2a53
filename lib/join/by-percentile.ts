/** Means over the same requests, ms: client = server + rest. */
export interface ClientServer {
  readonly clientMs: number
  readonly serverMs: number
  readonly restMs: number
}

export interface PercentileOfBoth extends ClientServer {
  /** 0.5, 0.9, 0.99 */
  readonly q: number
  /** Requests that the means are of. */
  readonly requests: number
}

/** The share of requests on each side of a percentile that are averaged with it. */
const bands = [
  { q: 0.5, band: 0.01 },
  { q: 0.9, band: 0.01 },
  { q: 0.99, band: 0.005 },
] as const
const fewestEachWay = 25

/** Client and server of the requests whose rank in client latency is around each percentile. Both lists are as long. */
export function byPercentile(clientMs: ArrayLike<number>, serverMs: ArrayLike<number>): readonly PercentileOfBoth[] {
  const count = clientMs.length
  if (count === 0) return []
  const order = Uint32Array.from({ length: count }, (_, at) => at).sort(
    (a, b) => (clientMs[a] ?? 0) - (clientMs[b] ?? 0),
  )
  return bands.map(({ q, band }) => {
    const half = Math.max(fewestEachWay, Math.round(band * count))
    const middle = Math.min(count - 1, Math.ceil(q * count - 1e-9) - 1)
    const around = order.subarray(Math.max(0, middle - half), middle + half + 1)
    const mean = (of: ArrayLike<number>) => around.reduce((sum, at) => sum + (of[at] ?? 0), 0) / around.length
    const [client, server] = [mean(clientMs), mean(serverMs)]
    return { q, clientMs: client, serverMs: server, restMs: client - server, requests: around.length }
  })
}
