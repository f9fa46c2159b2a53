import type { Metadata } from 'next'
import { CompareTabs } from '@/components/compare/saved/compare-tabs'
import { ComparisonsTable } from '@/components/compare/saved/comparisons-table'
import { SharesTable } from '@/components/share/shares-table'
import { PageBar } from '@/components/shell/page-bar'
import { Link } from '@/components/ui/links/link'
import { listComparisons } from '@/prisma/queries/projects/comparisons'
import { listShares } from '@/prisma/queries/projects/shares'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Saved and shared' }

export default async function ComparisonsPage({ params }: { readonly params: Promise<{ project: string }> }) {
  const { project, granted } = await openProject((await params).project)
  const { slug } = project
  const [saved, shares] = await Promise.all([listComparisons(granted), listShares(granted)])
  return (
    <>
      <PageBar project={project} here="Saved and shared" isHeading />
      <div className="page">
        <CompareTabs slug={slug} here="Saved and shared" />
        <h2 className="section-title">Saved comparisons</h2>
        {saved.length === 0 ? (
          <p className="muted">
            None saved yet. <Link href={`/p/${slug}/compare`}>Compare runs</Link> or open the{' '}
            <Link href={`/p/${slug}/matrix`}>matrix</Link>, and press “Save …”: name, order, view and conclusions are
            stored together.
          </p>
        ) : (
          <ComparisonsTable saved={saved} nowMs={Date.now()} />
        )}
        <h2 className="section-title section-next" id="shares">
          Shared links
        </h2>
        <p className="muted">
          {shares.length === 0
            ? 'Nothing shared yet: open a run or a comparison and press “Share”.'
            : 'Anyone with a link sees what it shows, and nothing else. Links themselves are not stored.'}
        </p>
        {shares.length > 0 && <SharesTable slug={slug} shares={shares} nowMs={Date.now()} />}
      </div>
    </>
  )
}
