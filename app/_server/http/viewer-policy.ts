/** The policy of the page without a server, in the page itself: its own script by its hash, and no request at all. */
export const viewerPolicy = (scriptHash: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
