import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AuditTable } from '@/components/account/audit-table'
import { SettingsBar } from '@/components/settings/settings-bar'
import { listAuditEntries } from '@/prisma/queries/accounts/audit'
import { foundOr404, openProject } from '../open-project'

export const metadata: Metadata = { title: 'Audit log' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<{ readonly before?: string | string[] }>
}

export default async function AuditPage({ params, searchParams }: Props) {
  const { viewer, project } = await openProject((await params).project)
  if (viewer.kind !== 'member') notFound()
  const [before = null] = [(await searchParams).before].flat()
  const { entries, next } = await foundOr404(listAuditEntries(viewer, project.id, before))
  return (
    <>
      <SettingsBar project={project} here="Audit log" />
      <div className="page">
        <AuditTable entries={entries} path={`/p/${project.slug}/audit`} isFirst={before === null} next={next} />
      </div>
    </>
  )
}
