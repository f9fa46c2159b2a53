import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { sha256Of } from '@/app/_server/credentials/secret-token'
import { signedIn } from '@/app/_server/http/request-viewer'
import { settings } from '@/app/_server/settings'
import { InvitationForm } from '@/components/account/invitation-form'
import { findInvitation } from '@/prisma/queries/accounts/invitations'

// Without a referrer, its form would come without an Origin and be refused; other sites get none anyway.
export const metadata: Metadata = { title: 'Invitation', referrer: 'same-origin' }

interface Props {
  readonly params: Promise<{ readonly token: string }>
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

export default async function InvitationPage({ params, searchParams }: Props) {
  const { hasAccounts, oidc } = settings()
  if (!hasAccounts) notFound()
  const { token } = await params
  const viewer = await signedIn(await headers())
  const invitation = (await findInvitation(sha256Of(token), viewer?.accountId ?? null, new Date())) ?? notFound()
  const query = await searchParams
  const textOf = (key: string) => (typeof query[key] === 'string' ? query[key].slice(0, 300) : '')
  return (
    <InvitationForm
      token={token}
      invitation={invitation}
      signedInAs={viewer?.name ?? null}
      error={textOf('error') || null}
      name={textOf('name')}
      email={textOf('email')}
      provider={oidc?.name ?? null}
    />
  )
}
