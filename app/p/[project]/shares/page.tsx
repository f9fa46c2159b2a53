import type { Metadata } from 'next'
import { SharesTable } from '@/components/share/shares-table'
import { listShares } from '@/prisma/queries/shares'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Shares' }

export default async function SharesPage({ params }: { readonly params: Promise<{ project: string }> }) {
  const { viewer, project } = await openProject((await params).project)
  const shares = await listShares(viewer, project.id)
  return (
    <div className="page">
      <h1 className="page-title">Shares</h1>
      {shares.length === 0 ? (
        <p className="muted">Nothing shared yet: open a run or a comparison and press “Share”.</p>
      ) : (
        <>
          <p className="muted">
            Anyone with a link sees what it shows, and nothing else. Links themselves are not stored.
          </p>
          <SharesTable slug={project.slug} shares={shares} nowMs={Date.now()} />
        </>
      )}
    </div>
  )
}
