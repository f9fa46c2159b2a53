import type { Metadata } from 'next'
import { PeopleTabs, PeopleView } from '@/components/account/people-view'
import { PageBar } from '@/components/shell/page-bar'
import { getOwnAccount, listAccounts } from '@/prisma/queries/accounts/accounts'
import { listInvitations } from '@/prisma/queries/accounts/invitations'
import { currentViewer } from '../_server/pages/current-viewer'
import { foundOr404 } from '../p/[project]/open-project'

export const metadata: Metadata = { title: 'People' }

export default async function PeoplePage() {
  const viewer = await currentViewer()
  const accounts = await foundOr404(listAccounts(viewer))
  const now = new Date()
  const [invitations, own] = await Promise.all([listInvitations(viewer, null, now), getOwnAccount(viewer)])
  return (
    <>
      <PageBar here="People" isHeading />
      <div className="page">
        <PeopleTabs here="Accounts" />
        <PeopleView accounts={accounts} invitations={invitations} ownId={own.id} nowMs={now.getTime()} />
      </div>
    </>
  )
}
