'use client'

import { MantineProvider, type MantineThemeOverride } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'

/** Theme, colour scheme (system unless chosen) and notifications. */
export function Providers({
  theme,
  nonce,
  children,
}: {
  theme: MantineThemeOverride
  nonce: string | null
  children: ReactNode
}) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
      {children}
      <Notifications position="bottom-right" />
    </MantineProvider>
  )
}
