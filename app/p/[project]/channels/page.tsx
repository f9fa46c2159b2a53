import { redirect } from 'next/navigation'
import { openProject } from '../open-project'

/** Channels are a section of the settings; messages about channels link here. */
export default async function ChannelsPage({ params }: { readonly params: Promise<{ project: string }> }) {
  const { project } = await openProject((await params).project)
  redirect(`/p/${project.slug}/settings#channels`)
}
