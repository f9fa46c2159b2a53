import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { readCompareView, savedCompareView } from '@/components/compare/compare-view-state'
import { ComparisonView } from '@/components/compare/comparison-view'
import { SavedHead } from '@/components/compare/saved-head'
import { MatrixView } from '@/components/matrix/matrix-view'
import { getComparison } from '@/prisma/queries/comparisons'
import { cache } from 'react'
import { loadComparison } from '../../compare/load-comparison'
import { loadMatrix } from '../../matrix/load-matrix'
import { foundOr404, openProject } from '../../open-project'

interface Props {
  readonly params: Promise<{ project: string; comparison: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

const openComparison = cache(async (slug: string, id: string) => {
  const { viewer, project } = await openProject(slug)
  return foundOr404(getComparison(viewer, project.id, id))
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, comparison } = await params
  return { title: (await openComparison(project, comparison)).name }
}

export default async function SavedComparisonPage({ params, searchParams }: Props) {
  const { project: slug, comparison } = await params
  const { viewer, project } = await openProject(slug)
  const saved = await openComparison(slug, comparison)
  const given = await searchParams
  // What the reader tries out stands in the address; the saved view stays until they save it.
  const isTried = Object.keys(given).some((key) => key !== 'table' && (key !== 'y' || saved.kind === 'matrix'))
  const crumbs = [{ name: 'Saved and shared', href: `/p/${slug}/comparisons` }]
  const bar = <PageBar project={project} crumbs={crumbs} here={saved.name} />
  if (saved.kind === 'matrix') {
    const stored = new URLSearchParams(saved.view)
    const view = isTried ? {} : Object.fromEntries([...stored.keys()].map((key) => [key, stored.getAll(key)]))
    const query = { ...view, ...given }
    return (
      <>
        {bar}
        <MatrixView {...await loadMatrix(slug, query)} path={`/p/${slug}/comparisons/${comparison}`} saved={saved}>
          <SavedHead saved={saved} />
        </MatrixView>
      </>
    )
  }
  const view = isTried ? readCompareView(given) : savedCompareView(saved.view, given)
  const prepared = await foundOr404(loadComparison(viewer, project.id, saved.refs, view))
  return (
    <>
      {bar}
      <ComparisonView projectSlug={project.slug} prepared={prepared} saved={saved}>
        <SavedHead saved={saved} />
      </ComparisonView>
    </>
  )
}
