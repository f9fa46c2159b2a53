import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { Viewer } from '@/lib/viewer'
import { settings } from '../settings'
import { isFromShare, newLocal, signedIn, stranger } from './request-viewer'

/** Whether this request is for a shared page or file: these are drawn for a stranger, even on this machine. */
export async function isShareRequest(): Promise<boolean> {
  return isFromShare(await headers())
}

/**
 * The viewer a page is drawn for, read once per request; null: not signed in. Tokens are for the API: they open no
 * page.
 */
export const frameViewer = cache(async (): Promise<Viewer | null> => {
  const own = await headers()
  if (isFromShare(own)) return stranger
  return settings().hasAccounts ? signedIn(own) : newLocal()
})

/** The viewer of a page. Without a signed-in person, redirects to the sign-in page, and from there back. */
export async function currentViewer(): Promise<Viewer> {
  const next = (await headers()).get('x-tailboard-url') ?? '/'
  return (await frameViewer()) ?? redirect(`/sign-in?next=${encodeURIComponent(next)}`)
}
