/** The policy of the page without a server, in the page itself: its own scripts by their hashes, and no request at all. */
export const viewerPolicy = (scriptHashes: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${scriptHashes.map((hash) => `'sha256-${hash}'`).join(' ')}`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
