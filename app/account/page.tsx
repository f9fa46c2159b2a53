import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { AccountView } from '@/components/account/account-view'
import { PageBar } from '@/components/shell/page-bar'
import { getOwnAccount } from '@/prisma/queries/accounts/accounts'
import { listSessions } from '@/prisma/queries/accounts/sessions'
import { listOwnTokens } from '@/prisma/queries/accounts/tokens'
import { currentViewer } from '../_server/pages/current-viewer'
import { requestOrigin } from '../_server/http/request-origin'
import { pageProjects } from '../_server/pages/page-projects'
import { foundOr404 } from '../p/[project]/open-project'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const viewer = await currentViewer()
  const account = await foundOr404(getOwnAccount(viewer))
  const now = new Date()
  const [sessions, tokens] = await Promise.all([listSessions(viewer, now), listOwnTokens(viewer)])
  const projects = (await pageProjects()).map(({ slug, name, role }) => ({ slug, name, role }))
  const origin = requestOrigin(await headers())
  return (
    <>
      <PageBar here="Account" isHeading />
      <AccountView {...{ account, sessions, tokens, projects, origin }} nowMs={now.getTime()} />
    </>
  )
}
