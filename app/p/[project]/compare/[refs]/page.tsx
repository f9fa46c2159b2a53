import type { Metadata } from 'next'
import { cache } from 'react'
import { PageBar } from '@/components/shell/page-bar'
import { CompareTabs } from '@/components/compare/saved/compare-tabs'
import { readCompareView, viewOf } from '@/components/compare/compare-view-state'
import { ComparisonActions } from '@/components/compare/comparison-actions'
import { PlotCaption } from '@/components/ui/plot-caption'
import { captionOf, comparisonFace } from '@/components/shared/share-face'
import { comparisonTitle } from '@/components/compare/prepare-comparison'
import { ComparisonView } from '@/components/compare/comparison-view'
import { foundOr404, openProject } from '../../open-project'
import { loadComparison } from '../load-comparison'

interface Props {
  readonly params: Promise<{ project: string; refs: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Read once per request: its title is the verdict. */
const openComparison = cache(async (slug: string, refs: string, query: string) => {
  const { project, granted, limits } = await openProject(slug)
  return { project, limits, prepared: await foundOr404(loadComparison(granted, refs, viewOf(query))) }
})

async function openAddress({ params, searchParams }: Props) {
  const [{ project, refs }, given] = await Promise.all([params, searchParams])
  return openComparison(project, refs, readCompareView(given).query)
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await openAddress(props)).prepared.comparison.sentence }
}

export default async function ComparisonPage(props: Props) {
  const { project, limits, prepared } = await openAddress(props)
  const { slug } = project
  return (
    <>
      <PageBar
        project={project}
        crumbs={[{ name: 'Compare', href: `/p/${slug}/compare` }]}
        here={comparisonTitle(prepared)}
      >
        <ComparisonActions projectSlug={slug} prepared={prepared} />
      </PageBar>
      <PlotCaption caption={captionOf(project.name, comparisonFace(prepared))}>
        <ComparisonView projectSlug={slug} prepared={prepared} limits={limits}>
          <CompareTabs slug={slug} here="Compare" refs={prepared.refs} />
        </ComparisonView>
      </PlotCaption>
    </>
  )
}
