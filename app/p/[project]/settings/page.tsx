import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { Link } from '@/components/ui/link'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { DeleteProject } from '@/components/projects/delete-project'
import { ProjectDetails } from '@/components/settings/project-details'
import { RetentionForm } from '@/components/settings/retention-form'
import { Section } from '@/components/settings/settings-section'
import { UploadPages, UploadsTable } from '@/components/settings/uploads-table'
import { CurlLine } from '@/components/ui/curl-line'
import { getProject, getRetention } from '@/prisma/queries/projects'
import { listUploadContents, listUploads } from '@/prisma/queries/upload-list'
import { foundOr404, openProject } from '../open-project'

type Props = { params: Promise<{ project: string }>; searchParams: Promise<{ before?: string | string[] }> }

const shownUploads = 50

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: `Settings · ${(await openProject((await params).project)).project.name}`,
})

export default async function SettingsPage({ params, searchParams }: Props) {
  const { viewer, project } = await openProject((await params).project)
  const [before] = [(await searchParams).before].flat()
  const [{ uploads, nextBefore }, retention, summary] = await foundOr404(
    Promise.all([
      listUploads(viewer, project.id, { before, limit: shownUploads }),
      getRetention(viewer, project.id),
      getProject(viewer, project.slug),
    ]),
  )
  const contents = await listUploadContents(viewer, project.id, uploads)
  return (
    <div className="page">
      <h1 className="page-title">Settings</h1>
      <ProjectDetails project={summary} />
      <Section title="Upload from a terminal or CI">
        <CurlLine origin={requestOrigin(await headers())} slug={project.slug} />
      </Section>
      <Section title="Notification channels">
        <p>
          <Link href={`/p/${project.slug}/channels`}>Where alerts are sent</Link>: Slack, webhooks, e-mail.
        </p>
      </Section>
      <Section title="Retention">
        <RetentionForm slug={project.slug} retention={retention} />
      </Section>
      <Section title="Uploads" id="uploads">
        <UploadsTable slug={project.slug} uploads={uploads} contents={contents} nowMs={Date.now()} />
        <UploadPages slug={project.slug} isFirst={before === undefined} nextBefore={nextBefore} />
      </Section>
      <Section title="Delete">
        <DeleteProject slug={project.slug} runCount={summary.runCount} />
      </Section>
    </div>
  )
}
