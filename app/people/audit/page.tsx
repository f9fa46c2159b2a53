import type { Metadata } from 'next'
import { AuditTable } from '@/components/account/audit-table'
import { PeopleTabs } from '@/components/account/people-view'
import { PageBar } from '@/components/shell/page-bar'
import { listAuditEntries } from '@/prisma/queries/accounts/audit'
import { currentViewer } from '../../_server/pages/current-viewer'
import { foundOr404 } from '../../p/[project]/open-project'

export const metadata: Metadata = { title: 'Audit log' }

interface Props {
  readonly searchParams: Promise<{ readonly before?: string | string[] }>
}

export default async function InstallationAuditPage({ searchParams }: Props) {
  const viewer = await currentViewer()
  const [before = null] = [(await searchParams).before].flat()
  const { entries, next } = await foundOr404(listAuditEntries(viewer, null, before))
  return (
    <>
      <PageBar crumbs={[{ name: 'People', href: '/people' }]} here="Audit log" isHeading />
      <div className="page">
        <PeopleTabs here="Audit log" />
        <AuditTable entries={entries} path="/people/audit" isFirst={before === null} next={next} hasProjects />
      </div>
    </>
  )
}
