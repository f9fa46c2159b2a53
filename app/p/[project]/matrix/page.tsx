import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { CompareTabs } from '@/components/compare/compare-tabs'
import { SaveComparison } from '@/components/compare/save-comparison'
import { MatrixView } from '@/components/matrix/matrix-view'
import { openProject } from '../open-project'
import { loadMatrix } from './load-matrix'

export const metadata: Metadata = { title: 'Matrix' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function MatrixPage({ params, searchParams }: Props) {
  const { project } = await openProject((await params).project)
  const loaded = await loadMatrix(project.slug, await searchParams)
  const name = loaded.uploadName ?? 'Matrix'
  const tab = loaded.query.view === 'sweep' ? 'Sweep' : 'Matrix'
  return (
    <>
      <PageBar project={project} crumbs={[{ name: 'Compare', href: `/p/${project.slug}/compare` }]} here={tab} />
      <MatrixView
        {...loaded}
        path={`/p/${loaded.projectSlug}/matrix`}
        actions={<SaveComparison projectSlug={loaded.projectSlug} kind="matrix" refs="" name={name} />}
      >
        <CompareTabs slug={project.slug} here={tab} />
      </MatrixView>
    </>
  )
}
