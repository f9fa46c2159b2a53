import type { Metadata } from 'next'
import { SettingsBar } from '@/components/settings/settings-bar'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { DeleteProject } from '@/components/projects/delete-project'
import { ProjectDetails } from '@/components/settings/project-details'
import { RetentionForm } from '@/components/settings/retention-form'
import { Section } from '@/components/settings/settings-section'
import { CurlLine } from '@/components/ui/actions/curl-line'
import { IfAllowed } from '@/components/ui/actions/access'
import { holders } from '@/lib/account/right-words'
import { getProject, getRetention } from '@/prisma/queries/projects/projects'
import { foundOr404, openProject } from '../open-project'

type Props = { params: Promise<{ project: string }> }

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: `Settings · ${(await openProject((await params).project)).project.name}`,
})

export default async function SettingsPage({ params }: Props) {
  const { viewer, project, granted } = await openProject((await params).project)
  const [retention, summary] = await foundOr404(Promise.all([getRetention(granted), getProject(viewer, project.slug)]))
  return (
    <>
      <SettingsBar project={project} here="General" />
      <div className="page">
        <IfAllowed
          need="administer"
          otherwise={<p className="muted">{holders('administer')} of the project change its settings.</p>}
        >
          <ProjectDetails project={summary} />
        </IfAllowed>
        <IfAllowed need="upload">
          <Section title="Upload from a terminal or CI">
            <CurlLine origin={requestOrigin(await headers())} slug={project.slug} />
          </Section>
        </IfAllowed>
        <IfAllowed need="administer">
          <Section title="Retention">
            <RetentionForm slug={project.slug} retention={retention} />
          </Section>
          <Section title="Delete">
            <DeleteProject slug={project.slug} runCount={summary.runCount} />
          </Section>
        </IfAllowed>
      </div>
    </>
  )
}
