import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { Viewer } from '@/lib/viewer'
import type { Frame } from '@/prisma/queries/projects/frames'
import { withProjects } from '@/prisma/statements/access'
import { knownFrame } from '../observe/request-context'
import { readFrame } from './read-frame'
import { isFromShare, stranger } from '../http/request-viewer'

/** Whether this request is for a shared page or file: these are drawn for a stranger, even on this machine. */
export async function isShareRequest(): Promise<boolean> {
  return isFromShare(await headers())
}

/**
 * What the page is drawn for, read once per request; null: a stranger, or not signed in. Tokens are for the API: they
 * open no page.
 */
export const pageFrame = cache(async (): Promise<Frame | null> => {
  const own = await headers()
  if (isFromShare(own)) return null
  const frame = knownFrame() ?? (await readFrame(own))
  return frame && { ...frame, viewer: withProjects(frame.viewer, frame.projects) }
})

/** The viewer of a page. Without a signed-in person, redirects to the sign-in page, and from there back. */
export async function currentViewer(): Promise<Viewer> {
  const own = await headers()
  if (isFromShare(own)) return stranger
  const next = own.get('x-tailboard-url') ?? '/'
  return (await pageFrame())?.viewer ?? redirect(`/sign-in?next=${encodeURIComponent(next)}`)
}
