import type { Metadata } from 'next'
import { Link } from '@/components/ui/link'
import { ComparisonsTable } from '@/components/compare/comparisons-table'
import { listComparisons } from '@/prisma/queries/comparisons'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Comparisons' }

export default async function ComparisonsPage({ params }: { readonly params: Promise<{ project: string }> }) {
  const { viewer, project } = await openProject((await params).project)
  const saved = await listComparisons(viewer, project.id)
  return (
    <div className="page">
      <h1 className="page-title">Comparisons</h1>
      {saved.length === 0 ? (
        <p className="notice">
          None saved yet. <Link href={`/p/${project.slug}/compare`}>Compare runs</Link> or open the{' '}
          <Link href={`/p/${project.slug}/matrix`}>matrix</Link>, and press “Save …”: name, order, view and conclusions
          are stored together.
        </p>
      ) : (
        <ComparisonsTable saved={saved} nowMs={Date.now()} />
      )}
    </div>
  )
}
