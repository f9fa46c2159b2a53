import { LRUCache } from 'lru-cache'

/** Misses that one client may have in a window, and the window. Tokens cannot be guessed; this limits what a scan can ask for. */
const maxMisses = 60
const windowMs = 60_000
/** Clients counted; beyond that those seen least recently start anew. */
const maxClients = 10_000

/** Counts addresses of shares that do not exist, by client. */
export interface ShareMisses {
  /** Whether the client has asked for too many of them within the last minute. */
  isOver(client: string, nowMs: number): boolean
  note(client: string, nowMs: number): void
}

/** A counter in memory: fixed windows of a minute, bounded. */
export function countShareMisses(): ShareMisses {
  const seen = new LRUCache<string, { readonly sinceMs: number; misses: number }>({ max: maxClients })
  const windowOf = (client: string, nowMs: number) => {
    const found = seen.get(client)
    return found && nowMs - found.sinceMs < windowMs ? found : null
  }
  return {
    isOver: (client, nowMs) => (windowOf(client, nowMs)?.misses ?? 0) >= maxMisses,
    note(client, nowMs) {
      const found = windowOf(client, nowMs)
      if (found) found.misses += 1
      else seen.set(client, { sinceMs: nowMs, misses: 1 })
    },
  }
}
