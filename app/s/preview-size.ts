/** Size that chat programs and social sites ask of a link preview, px. */
export const previewSize = { width: 1200, height: 630 } as const
