import type { Metadata } from 'next'
import { readUploadLines } from '@/app/_server/read-upload-lines'
import { shownLineLimit, UploadPreview } from '@/components/upload/upload-preview'
import { listRuns } from '@/prisma/queries/runs'
import { findSavedUploadBySentSha256, getUpload } from '@/prisma/queries/uploads'
import { foundOr404, openProject } from '../../open-project'

export const metadata: Metadata = { title: 'Upload preview' }

export default async function UploadPreviewPage({ params }: { params: Promise<{ project: string; upload: string }> }) {
  const { project: slug, upload: uploadId } = await params
  const { viewer, project } = await openProject(slug)
  const upload = await foundOr404(getUpload(viewer, project.id, uploadId))
  const draft = upload.state === 'draft'
  const [lines, savedBefore, saved] = await Promise.all([
    upload.lineCount === null ? [] : readUploadLines(viewer, project.id, uploadId, 1, shownLineLimit),
    draft ? findSavedUploadBySentSha256(viewer, project.id, upload.sentSha256) : null,
    draft ? null : listRuns(viewer, project.id, { uploadId }, { sort: 'time', direction: 'asc', limit: 200 }),
  ])
  const savedRuns = [...(saved?.rows ?? [])].sort((a, b) => a.indexInUpload - b.indexInUpload)
  return (
    <UploadPreview
      projectSlug={project.slug}
      upload={upload}
      lines={lines}
      savedRuns={savedRuns}
      savedBefore={savedBefore}
    />
  )
}
