import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { currentViewer } from '@/app/_server/current-viewer'
import { requestOrigin } from '@/app/_server/request-origin'
import { UploadStart } from '@/components/upload/upload-start'
import { getProject } from '@/prisma/queries/projects'

export const metadata: Metadata = { title: 'Upload' }

export default async function UploadPage({ params }: { params: Promise<{ project: string }> }) {
  const project = await getProject(await currentViewer(), (await params).project)
  return (
    <div className="page">
      <h1 className="page-title">Upload to {project.name}</h1>
      <UploadStart origin={requestOrigin(await headers())} projectSlug={project.slug} />
    </div>
  )
}
