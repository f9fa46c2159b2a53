import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { signedIn } from '@/app/_server/http/request-viewer'
import { safeNext } from '@/app/_server/http/read-form'
import { settings } from '@/app/_server/settings'
import { isSignInError, SignInForm } from '@/components/account/sign-in-form'

export const metadata: Metadata = { title: 'Sign in' }

interface Props {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

export default async function SignInPage({ searchParams }: Props) {
  const { hasAccounts, oidc } = settings()
  if (!hasAccounts) notFound()
  const { next, error } = await searchParams
  const path = safeNext(typeof next === 'string' ? next : null)
  if ((await signedIn(await headers())) !== null) redirect(path)
  const reason = typeof error === 'string' && isSignInError(error) ? error : null
  return <SignInForm next={path} error={reason} provider={oidc?.name ?? null} />
}
