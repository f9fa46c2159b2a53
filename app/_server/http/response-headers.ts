/** Headers of every response. */
export const responseHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-frame-options': 'DENY',
}

/** For every response of a server reached by https: browsers use nothing else for a year. */
export const secureHeaders: Readonly<Record<string, string>> = {
  'strict-transport-security': 'max-age=31536000',
}

/** Headers of every response under `/s/`, beside those of all: a link is a secret that must not travel on. */
export const shareHeaders: Readonly<Record<string, string>> = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cache-control': 'private, no-store',
}

/** Headers of every badge, beside those of all: it is made to be shown by other sites. */
export const badgeHeaders: Readonly<Record<string, string>> = {
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
}

/** Headers of the page without a server, beside those of all: a copy of it elsewhere hands its files to this one. */
export const viewerHeaders: Readonly<Record<string, string>> = { 'cross-origin-opener-policy': 'unsafe-none' }

/** No third party, no inline script but Next's own (by nonce). Styles may be inline: SVG charts set them. */
export function contentSecurityPolicy(nonce: string, dev: boolean): string {
  const script = `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`
  return [
    "default-src 'self'",
    script,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
