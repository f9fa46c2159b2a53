import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { UploadStart } from '@/components/upload/upload-start'
import { IfAllowed, Refusal } from '@/components/ui/actions/access'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Upload' }

export default async function UploadPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await openProject((await params).project)
  return (
    <>
      <PageBar project={project} here="Upload" isHeading />
      <div className="page">
        <IfAllowed
          need="upload"
          otherwise={
            <p>
              <Refusal need="upload" />
            </p>
          }
        >
          <UploadStart origin={requestOrigin(await headers())} projectSlug={project.slug} />
        </IfAllowed>
      </div>
    </>
  )
}
