/** `__Host-`: for this host alone, over TLS (or on this machine), for every path. */
export const sessionCookieName = '__Host-tailboard'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const lifeSeconds = 30 * 24 * 3_600

/** The secret in a Cookie header; null: it has none of ours. */
export function readSessionCookie(header: string | null): string | null {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() !== sessionCookieName) continue
    const secret = pair.slice(at + 1).trim()
    return /^[\w-]{43}$/.test(secret) ? secret : null
  }
  return null
}

/** The header that makes a browser keep the session. */
export const sessionCookie = (secret: string): string =>
  `${sessionCookieName}=${secret}; Max-Age=${lifeSeconds}; ${attributes}`

/** The header that makes a browser forget it. */
export const noSessionCookie = `${sessionCookieName}=; Max-Age=0; ${attributes}`
