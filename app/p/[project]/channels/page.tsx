import type { Metadata } from 'next'
import { SettingsBar } from '@/components/settings/settings-bar'
import { settings } from '@/app/_server/settings'
import { ChannelsView } from '@/components/channels/channels-view'
import { listChannels } from '@/prisma/queries/alerts/channels'
import { listDeliveries } from '@/prisma/queries/alerts/deliveries'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Notification channels' }

export default async function ChannelsPage({ params }: { readonly params: Promise<{ project: string }> }) {
  const { project, granted } = await openProject((await params).project)
  const channels = await listChannels(granted)
  const deliveries = await listDeliveries(granted)
  const canMail = settings().mail !== null
  const view = { slug: project.slug, channels, deliveries, canMail, nowMs: Date.now() }
  return (
    <>
      <SettingsBar project={project} here="Notification channels" />
      <ChannelsView {...view} />
    </>
  )
}
