import { redirect } from 'next/navigation'

/** Links that were shared stand beside what was saved. */
export default async function SharesPage({ params }: { readonly params: Promise<{ project: string }> }) {
  redirect(`/p/${encodeURIComponent((await params).project)}/comparisons#shares`)
}
