import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { paramsOf, readCompareView, savedCompareView } from '@/components/compare/compare-view-state'
import { ComparisonActions } from '@/components/compare/comparison-actions'
import { PlotCaption } from '@/components/ui/plot-caption'
import { captionOf, comparisonFace } from '@/components/shared/share-face'
import { ComparisonView } from '@/components/compare/comparison-view'
import { SavedHead } from '@/components/compare/saved/saved-head'
import { MatrixActions } from '@/components/matrix/matrix-actions'
import { MatrixView } from '@/components/matrix/matrix-view'
import { loadComparison } from '../../compare/load-comparison'
import { loadMatrix } from '../../matrix/load-matrix'
import { foundOr404, openProject } from '../../open-project'
import { openSaved } from '../open-saved'

interface Props {
  readonly params: Promise<{ project: string; comparison: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, comparison } = await params
  return { title: (await openSaved(project, comparison)).name }
}

export default async function SavedComparisonPage({ params, searchParams }: Props) {
  const [{ project: slug, comparison }, given] = await Promise.all([params, searchParams])
  const { project, granted, limits } = await openProject(slug)
  const saved = await openSaved(slug, comparison)
  // What the reader tries out is in the address; the saved view stays until they save it.
  const isTried = Object.keys(given).some((key) => key !== 'table' && (key !== 'y' || saved.kind === 'matrix'))
  const bar = { project, crumbs: [{ name: 'Saved and shared', href: `/p/${slug}/comparisons` }], here: saved.name }
  if (saved.kind === 'matrix') {
    const loaded = await foundOr404(loadMatrix(granted, { ...(isTried ? {} : paramsOf(saved.view)), ...given }))
    return (
      <>
        <PageBar {...bar}>
          <MatrixActions {...loaded} saved={saved} />
        </PageBar>
        <MatrixView {...loaded} limits={limits} path={`/p/${slug}/comparisons/${comparison}`}>
          <SavedHead saved={saved} />
        </MatrixView>
      </>
    )
  }
  const view = isTried ? readCompareView(given) : savedCompareView(saved.view, given)
  const prepared = await foundOr404(loadComparison(granted, saved.refs, view))
  return (
    <>
      <PageBar {...bar}>
        <ComparisonActions projectSlug={project.slug} prepared={prepared} saved={saved} />
      </PageBar>
      <PlotCaption caption={captionOf(project.name, comparisonFace(prepared))}>
        <ComparisonView projectSlug={project.slug} prepared={prepared} limits={limits}>
          <SavedHead saved={saved} />
        </ComparisonView>
      </PlotCaption>
    </>
  )
}
