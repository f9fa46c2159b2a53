import type { Metadata } from 'next'
import { readMatrixQuery } from '@/components/matrix/matrix-url'
import { MatrixView } from '@/components/matrix/matrix-view'
import { listCellNotes } from '@/prisma/queries/cell-notes'
import { listRuns } from '@/prisma/queries/runs'
import { getUpload } from '@/prisma/queries/uploads'
import { foundOr404, openProject } from '../open-project'

export const metadata: Metadata = { title: 'Matrix' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function MatrixPage({ params, searchParams }: Props) {
  const { viewer, project } = await openProject((await params).project)
  const query = readMatrixQuery(await searchParams)
  const { uploadId } = query.filter
  const [page, cellNotes, upload] = await Promise.all([
    foundOr404(listRuns(viewer, project.id, query.filter, { sort: 'time', direction: 'desc', limit: 200 })),
    listCellNotes(viewer, project.id),
    uploadId === undefined ? null : foundOr404(getUpload(viewer, project.id, uploadId)),
  ])
  return (
    <MatrixView
      projectSlug={project.slug}
      page={page}
      query={query}
      cellNotes={cellNotes}
      uploadName={upload?.name ?? null}
    />
  )
}
