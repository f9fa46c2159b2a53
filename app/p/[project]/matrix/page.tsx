import type { Metadata } from 'next'
import { SaveComparison } from '@/components/compare/save-comparison'
import { MatrixView } from '@/components/matrix/matrix-view'
import { loadMatrix } from './load-matrix'

export const metadata: Metadata = { title: 'Matrix' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function MatrixPage({ params, searchParams }: Props) {
  const loaded = await loadMatrix((await params).project, await searchParams)
  const name = loaded.uploadName ?? 'Matrix'
  return (
    <MatrixView
      {...loaded}
      path={`/p/${loaded.projectSlug}/matrix`}
      actions={<SaveComparison projectSlug={loaded.projectSlug} kind="matrix" refs="" name={name} />}
    />
  )
}
