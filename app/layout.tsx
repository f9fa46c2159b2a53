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
import type { ShellProject } from '@/components/shell/project-switcher'
import { Shell } from '@/components/shell/shell'
import { themeScript } from '@/components/ui/theme'
import { Toasts } from '@/components/ui/actions/toasts'
import { resolve } from '@/lib/theme'
import type { Frame } from '@/prisma/queries/projects/frames'
import { isShareRequest, pageFrame } from './_server/pages/current-viewer'
import { themes } from './_server/themes'
import { version } from './_server/version'

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
  const frame = await pageFrame()
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
        ) : frame === null ? (
          <EntryFrame>{children}</EntryFrame>
        ) : (
          <Shell projects={frame.projects.map(shellProject)} account={accountOf(frame)} version={version}>
            {children}
          </Shell>
        )}
        <Toasts />
      </body>
    </html>
  )
}

const accountOf = ({ viewer }: Frame) =>
  viewer.kind === 'member' ? { name: viewer.name, isOwner: viewer.isOwner } : null

const shellProject = ({ slug, name, role, openAlerts, hasDeadChannel }: Frame['projects'][number]): ShellProject => ({
  ...{ slug, name, role },
  ...(openAlerts > 0 ? { openAlerts } : {}),
  ...(hasDeadChannel ? { hasDeadChannel } : {}),
})
