import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { readMetricIds, readRefs } from '@/components/compare/compare-url'
import { ComparisonView } from '@/components/compare/comparison-view'
import { getRuns } from '@/prisma/queries/runs'
import { foundOr404, openProject } from '../../open-project'

export const metadata: Metadata = { title: 'Compare' }

interface Props {
  readonly params: Promise<{ project: string; refs: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ComparisonPage({ params, searchParams }: Props) {
  const { project: slug, refs } = await params
  const { viewer, project } = await openProject(slug)
  const ids = readRefs(refs) ?? notFound()
  const [baseline, ...candidates] = await foundOr404(getRuns(viewer, project.id, ids))
  if (!baseline) notFound()
  return (
    <ComparisonView
      projectSlug={project.slug}
      runs={[baseline, ...candidates]}
      metricIds={readMetricIds((await searchParams).m)}
    />
  )
}
