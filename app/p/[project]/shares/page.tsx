import { redirect } from 'next/navigation'
import { openProject } from '../open-project'

/** Shared links are listed beside what was saved. */
export default async function SharesPage({ params }: { readonly params: Promise<{ project: string }> }) {
  const { project } = await openProject((await params).project)
  redirect(`/p/${project.slug}/comparisons#shares`)
}
