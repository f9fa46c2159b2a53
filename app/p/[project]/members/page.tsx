import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { MembersView } from '@/components/account/members-view'
import { SettingsBar } from '@/components/settings/settings-bar'
import { roleAllows } from '@/lib/viewer'
import { listInvitations } from '@/prisma/queries/accounts/invitations'
import { listMembers } from '@/prisma/queries/accounts/members'
import { listProjectTokens } from '@/prisma/queries/accounts/tokens'
import { grant } from '@/prisma/queries/projects/projects'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Members' }

export default async function MembersPage({ params }: { readonly params: Promise<{ project: string }> }) {
  const { viewer, project, granted } = await openProject((await params).project)
  if (viewer.kind !== 'member') notFound()
  const now = new Date()
  const members = await listMembers(granted)
  const administered = roleAllows(project.role, 'administer')
    ? {
        invitations: await listInvitations(viewer, project.id, now),
        tokens: await listProjectTokens(await grant(viewer, project, 'administer')),
      }
    : null
  return (
    <>
      <SettingsBar project={project} here="Members" />
      <MembersView {...{ slug: project.slug, members, administered, ownId: viewer.accountId, nowMs: now.getTime() }} />
    </>
  )
}
