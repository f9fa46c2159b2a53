import type { Metadata } from 'next'
import { readCompareView } from '@/components/compare/compare-view-state'
import { ComparisonView } from '@/components/compare/comparison-view'
import { loadComparison } from '../load-comparison'

export const metadata: Metadata = { title: 'Compare' }

interface Props {
  readonly params: Promise<{ project: string; refs: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ComparisonPage({ params, searchParams }: Props) {
  const { project, refs } = await params
  const loaded = await loadComparison(project, refs)
  return <ComparisonView {...loaded} view={readCompareView(await searchParams)} />
}
