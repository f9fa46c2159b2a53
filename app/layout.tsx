import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Loader.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'
import './tokens.css'
import './globals.css'
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from '@/components/shell/providers'
import { ShareFrame } from '@/components/shared/share-frame'
import { Shell } from '@/components/shell/shell'
import { isShareRequest } from './_server/http/current-viewer'
import { pageProjects } from './_server/page-projects'
import { theme } from './theme'

export const metadata: Metadata = {
  title: { default: 'Tailboard', template: '%s · Tailboard' },
  description: 'The results dashboard for load tests',
}
export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f8fa' },
    { media: '(prefers-color-scheme: dark)', color: '#0f141b' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const isShare = await isShareRequest()
  const projects = isShare ? [] : await pageProjects()
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" {...(nonce ? { nonce } : {})} />
      </head>
      <body>
        <Providers theme={theme} nonce={nonce ?? null}>
          {isShare ? (
            <ShareFrame>{children}</ShareFrame>
          ) : (
            <Shell projects={projects.map(({ id: _, ...shown }) => shown)}>{children}</Shell>
          )}
        </Providers>
      </body>
    </html>
  )
}
