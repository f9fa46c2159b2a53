import { notFound, redirect } from 'next/navigation'
import { openProject } from '../open-project'

/** Members are a section of the settings; a server without accounts has none. */
export default async function MembersPage({ params }: { readonly params: Promise<{ project: string }> }) {
  const { viewer, project } = await openProject((await params).project)
  if (viewer.kind !== 'member') notFound()
  redirect(`/p/${project.slug}/settings#members`)
}
