import type { Metadata } from 'next'
import { AlertsView } from '@/components/alerts/alerts-view'
import { alertStates } from '@/lib/stored-alerts'
import { listAlerts } from '@/prisma/queries/alerts'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Alerts' }

export default async function AlertsPage({ params }: { params: Promise<{ project: string }> }) {
  const { viewer, project } = await openProject((await params).project)
  const alerts = await listAlerts(viewer, project.id, alertStates)
  return <AlertsView projectSlug={project.slug} alerts={alerts} nowMs={Date.now()} />
}
