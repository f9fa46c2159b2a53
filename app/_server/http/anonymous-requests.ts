import { LRUCache } from 'lru-cache'
import { sha256Of } from '../credentials/secret-token'
import { readSessionCookie } from '../credentials/session-cookie'

const windowMs = 60_000
/** How long a credential counts as valid once it was found valid; then it is checked again. */
const knownMs = 10 * 60_000

/** The credentials in a request. Absent headers are undefined. */
export interface Credentials {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
}

/** Counts requests without a token or session that is known to be valid. */
export interface AnonymousRequests {
  /**
   * Counts one request, unless its credential is known. Returns the seconds until the client may ask again; null: it
   * may now.
   */
  take(client: string, credentials: Credentials): number | null
}

/** On globalThis: the server and each route of Next have their own copies of this module in one process. */
const key = Symbol.for('tailboard.known-credentials')
function known(): LRUCache<string, true> {
  const holder = globalThis as { [key]?: LRUCache<string, true> }
  return (holder[key] ??= new LRUCache({ max: 20_000, ttl: knownMs }))
}

function nameOf({ authorization, cookie }: Credentials): string | null {
  const secret = authorization ?? readSessionCookie(cookie ?? null)
  return secret === null ? null : sha256Of(secret)
}

/** Remembers that these headers identify a viewer: their requests are not anonymous. */
export function noteKnown(headers: Headers): void {
  const authorization = headers.get('authorization') ?? undefined
  const name = nameOf({ authorization, cookie: headers.get('cookie') ?? undefined })
  if (name !== null) known().set(name, true)
}

/**
 * A counter in this process, `points` a minute for each client, by a clock that never jumps. A request whose credential
 * has not been verified yet counts.
 */
export function countAnonymous(points: number, nowMs: () => number = () => performance.now()): AnonymousRequests {
  const counted = new LRUCache<string, { points: number; untilMs: number }>({ max: 50_000 })
  return {
    take(client, credentials) {
      const name = nameOf(credentials)
      if (name !== null && known().has(name)) return null
      const now = nowMs()
      const found = counted.get(client)
      const own = found !== undefined && found.untilMs > now ? found : { points: 0, untilMs: now + windowMs }
      own.points += 1
      counted.set(client, own)
      return own.points > points ? Math.ceil((own.untilMs - now) / 1_000) : null
    },
  }
}
