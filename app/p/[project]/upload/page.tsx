import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { UploadStart } from '@/components/upload/upload-start'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Upload' }

export default async function UploadPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await openProject((await params).project)
  return (
    <div className="page">
      <h1 className="page-title">Upload to {project.name}</h1>
      <UploadStart origin={requestOrigin(await headers())} projectSlug={project.slug} />
    </div>
  )
}
