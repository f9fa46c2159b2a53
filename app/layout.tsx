import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './fonts.css'
import './tokens.css'
import './globals.css'
import './utilities.css'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { EntryFrame } from '@/components/account/entry-frame'
import { ShareFrame } from '@/components/shared/share-frame'
import { Shell } from '@/components/shell/shell'
import { themeScript } from '@/components/ui/theme'
import { Toasts } from '@/components/ui/actions/toasts'
import { resolve } from '@/lib/theme'
import { frameViewer, isShareRequest } from './_server/http/current-viewer'
import { pageProjects } from './_server/page-projects'
import { themes } from './_server/themes'

export const metadata: Metadata = {
  title: { default: 'Tailboard', template: '%s · Tailboard' },
  description: 'The results dashboard for load tests',
}
export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: resolve(themes.light)('var(--bg)') },
    { media: '(prefers-color-scheme: dark)', color: resolve(themes.dark)('var(--bg)') },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const isShare = await isShareRequest()
  const viewer = isShare ? null : await frameViewer()
  const projects = viewer === null ? [] : await pageProjects()
  return (
    // The script sets the chosen theme before React sees the page.
    <html lang="en" suppressHydrationWarning>
      <head>
        <script nonce={nonce} suppressHydrationWarning>
          {themeScript}
        </script>
      </head>
      <body>
        {isShare ? (
          <ShareFrame>{children}</ShareFrame>
        ) : viewer === null ? (
          <EntryFrame>{children}</EntryFrame>
        ) : (
          <Shell
            projects={projects.map(({ id: _, ...shown }) => shown)}
            account={viewer.kind === 'member' ? { name: viewer.name, isOwner: viewer.isOwner } : null}
          >
            {children}
          </Shell>
        )}
        <Toasts />
      </body>
    </html>
  )
}
