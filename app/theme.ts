'use client'

import { createTheme } from '@mantine/core'

/** Mantine wears our tokens: own accent, own fonts, small radius. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 4 },
  colors: {
    accent: [
      '#e6f3fa',
      '#cce6f4',
      '#99cde9',
      '#66b4de',
      '#2f97d3',
      '#1284c0',
      '#0072b2',
      '#006099',
      '#004d7a',
      '#00395c',
    ],
  },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 6,
})
