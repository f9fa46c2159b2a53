import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { UploadPreview } from '@/components/upload/draft/upload-preview'
import { getUpload } from '@/prisma/queries/uploads/uploads'
import { foundOr404, openProject } from '../../open-project'
import { loadPreview } from './load-preview'

export const metadata: Metadata = { title: 'Upload preview' }

interface Props {
  params: Promise<{ project: string; upload: string }>
  searchParams: Promise<{ view?: string | string[] }>
}

export default async function UploadPreviewPage({ params, searchParams }: Props) {
  const { project: slug, upload: uploadId } = await params
  const [view = null] = [(await searchParams).view].flat()
  const { project, granted } = await openProject(slug)
  const upload = await foundOr404(getUpload(granted, uploadId))
  return (
    <>
      <PageBar
        project={project}
        crumbs={[{ name: 'Upload', href: `/p/${slug}/upload` }]}
        here={upload.state === 'draft' ? 'Preview' : 'Saved'}
      />
      <UploadPreview
        project={project}
        origin={requestOrigin(await headers())}
        upload={upload}
        {...await loadPreview(granted, upload)}
        asked={view}
      />
    </>
  )
}
