/** Misses that one client may have in a window, and the window. Tokens cannot be guessed; this keeps a log short. */
const mostMisses = 60
const windowMs = 60_000
/** Clients remembered at most; beyond that all start anew. */
const mostClients = 10_000

/** Counts addresses of shares that do not exist, by client. */
export interface ShareMisses {
  /** Whether the client has asked for too many of them within the last minute. */
  isOver(client: string, nowMs: number): boolean
  note(client: string, nowMs: number): void
}

/** A counter in memory: fixed windows of a minute, bounded. */
export function countShareMisses(): ShareMisses {
  const seen = new Map<string, { readonly sinceMs: number; misses: number }>()
  const windowOf = (client: string, nowMs: number) => {
    const found = seen.get(client)
    return found && nowMs - found.sinceMs < windowMs ? found : null
  }
  return {
    isOver: (client, nowMs) => (windowOf(client, nowMs)?.misses ?? 0) >= mostMisses,
    note(client, nowMs) {
      const found = windowOf(client, nowMs)
      if (found) found.misses += 1
      else {
        if (seen.size >= mostClients) seen.clear()
        seen.set(client, { sinceMs: nowMs, misses: 1 })
      }
    },
  }
}
