import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { readCompareView } from '@/components/compare/compare-view-state'
import { ComparisonView } from '@/components/compare/comparison-view'
import { writeSides } from '@/lib/judge/compare-url'
import { SaveComparison } from '@/components/compare/save-comparison'
import { foundOr404, openProject } from '../../open-project'
import { loadComparison } from '../load-comparison'

export const metadata: Metadata = { title: 'Compare' }

interface Props {
  readonly params: Promise<{ project: string; refs: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ComparisonPage({ params, searchParams }: Props) {
  const { project: slug, refs } = await params
  const { viewer, project } = await openProject(slug)
  const view = readCompareView(await searchParams)
  const prepared = await foundOr404(loadComparison(viewer, project.id, refs, view))
  const ids = prepared.sides.map((side) => side.map((run) => run.id))
  const name = prepared.names.join(' vs ')
  return (
    <>
      <PageBar project={project} crumbs={[{ name: 'Compare', href: `/p/${slug}/compare` }]} here={name} />
      <ComparisonView
        projectSlug={project.slug}
        prepared={prepared}
        actions={
          <SaveComparison projectSlug={project.slug} kind="runs" refs={writeSides(ids)} name={name.slice(0, 200)} />
        }
      />
    </>
  )
}
