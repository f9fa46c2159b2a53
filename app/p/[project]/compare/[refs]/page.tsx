import type { Metadata } from 'next'
import { readCompareView } from '@/components/compare/compare-view-state'
import { ComparisonView } from '@/components/compare/comparison-view'
import { writeSides } from '@/lib/judge/compare-url'
import { distinctNames } from '@/components/compare/distinct-names'
import { SaveComparison } from '@/components/compare/save-comparison'
import { loadComparison } from '../load-comparison'

export const metadata: Metadata = { title: 'Compare' }

interface Props {
  readonly params: Promise<{ project: string; refs: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ComparisonPage({ params, searchParams }: Props) {
  const { project, refs } = await params
  const loaded = await loadComparison(project, refs)
  const { projectSlug, sides } = loaded
  const ids = sides.map((side) => side.map((run) => run.id))
  const name = distinctNames(sides.map(([run]) => run)).join(' vs ')
  return (
    <ComparisonView
      {...loaded}
      view={readCompareView(await searchParams)}
      actions={
        <SaveComparison projectSlug={projectSlug} kind="runs" refs={writeSides(ids)} name={name.slice(0, 200)} />
      }
    />
  )
}
