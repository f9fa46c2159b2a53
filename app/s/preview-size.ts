/** Size of a link preview that chat programs and social sites expect, px. */
export const previewSize = { width: 1200, height: 630 } as const
