import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { readLineRanges } from '@/app/_server/uploads/read-upload-lines'
import { shownRanges } from '@/components/upload/shown-lines'
import { UploadPreview } from '@/components/upload/upload-preview'
import { listKnownNames } from '@/prisma/queries/series'
import { listRuns } from '@/prisma/queries/runs'
import { findSavedUploadBySentSha256, getUpload } from '@/prisma/queries/uploads'
import { foundOr404, openProject } from '../../open-project'

export const metadata: Metadata = { title: 'Upload preview' }

interface Props {
  params: Promise<{ project: string; upload: string }>
  searchParams: Promise<{ view?: string | string[] }>
}

export default async function UploadPreviewPage({ params, searchParams }: Props) {
  const { project: slug, upload: uploadId } = await params
  const [view = null] = [(await searchParams).view].flat()
  const { viewer, project } = await openProject(slug)
  const upload = await foundOr404(getUpload(viewer, project.id, uploadId))
  const draft = upload.state === 'draft'
  const blocks = upload.draftRuns.map((run) => run.context.lines)
  const [lines, known, savedBefore, saved] = await Promise.all([
    readLineRanges(upload.storedSha256, shownRanges(upload.lineCount ?? 0, blocks, upload.problems)),
    draft ? listKnownNames(viewer, project.id) : null,
    draft ? findSavedUploadBySentSha256(viewer, project.id, upload.sentSha256) : null,
    draft ? null : listRuns(viewer, project.id, { uploadId }, { sort: 'time', direction: 'asc', limit: 200 }),
  ])
  const savedRuns = [...(saved?.rows ?? [])].sort((a, b) => a.indexInUpload - b.indexInUpload)
  return (
    <>
      <PageBar
        project={project}
        crumbs={[{ name: 'Upload', href: `/p/${slug}/upload` }]}
        here={draft ? 'Preview' : 'Saved'}
      />
      <UploadPreview
        project={project}
        origin={requestOrigin(await headers())}
        upload={upload}
        lines={lines}
        known={known}
        savedRuns={savedRuns}
        savedBefore={savedBefore}
        asked={view}
      />
    </>
  )
}
