import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { UploadStart } from '@/components/upload/upload-start'
import { May, Refusal } from '@/components/ui/actions/may'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Upload' }

export default async function UploadPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await openProject((await params).project)
  return (
    <>
      <PageBar project={project} here="Upload" isHeading />
      <div className="page">
        <May
          need="upload"
          otherwise={
            <p>
              <Refusal need="upload" />
            </p>
          }
        >
          <UploadStart origin={requestOrigin(await headers())} projectSlug={project.slug} />
        </May>
      </div>
    </>
  )
}
