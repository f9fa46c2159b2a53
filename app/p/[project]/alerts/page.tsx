import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { AlertsView } from '@/components/alerts/alerts-view'
import { alertStates } from '@/lib/rules/stored-alerts'
import { listAlerts } from '@/prisma/queries/alerts'
import { listChannels } from '@/prisma/queries/channels'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Alerts' }

export default async function AlertsPage({ params }: { params: Promise<{ project: string }> }) {
  const { viewer, project } = await openProject((await params).project)
  const alerts = await listAlerts(viewer, project.id, alertStates)
  const channels = await listChannels(viewer, project.id)
  const dead = channels.filter((one) => !one.isEnabled && one.disabledReason !== 'user')
  return (
    <>
      <PageBar project={project} here="Alerts" isHeading />
      <AlertsView
        {...{ alerts, projectSlug: project.slug, repositoryUrl: project.repositoryUrl }}
        nowMs={Date.now()}
        deadChannels={dead}
      />
    </>
  )
}
