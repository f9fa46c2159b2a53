import type { Metadata } from 'next'
import { SettingsBar } from '@/components/settings/settings-bar'
import { UploadPages, UploadsTable } from '@/components/settings/uploads-table'
import { listUploadContents, listUploads } from '@/prisma/queries/uploads/upload-list'
import { foundOr404, openProject } from '../open-project'

export const metadata: Metadata = { title: 'Uploads' }

type Props = { params: Promise<{ project: string }>; searchParams: Promise<{ before?: string | string[] }> }

const shownUploads = 50

export default async function UploadsPage({ params, searchParams }: Props) {
  const { granted, project } = await openProject((await params).project)
  const [before] = [(await searchParams).before].flat()
  const { uploads, nextBefore } = await foundOr404(listUploads(granted, { before, limit: shownUploads }))
  const contents = await listUploadContents(granted, uploads)
  return (
    <>
      <SettingsBar project={project} here="Uploads" />
      <div className="page">
        <UploadsTable
          slug={project.slug}
          repositoryUrl={project.repositoryUrl}
          uploads={uploads}
          contents={contents}
          nowMs={Date.now()}
        />
        <UploadPages slug={project.slug} isFirst={before === undefined} nextBefore={nextBefore} />
      </div>
    </>
  )
}
