import { readLocalFrame, readSessionFrame, type Frame } from '@/prisma/queries/projects/frames'
import { sha256Of } from '../credentials/secret-token'
import { readSessionCookie } from '../credentials/session-cookie'
import { settings } from '../settings'
import { noteSignedIn } from '../http/request-viewer'

/** The frame of a page for whoever sent these headers; null: not signed in. */
export async function readFrame(own: Headers): Promise<Frame | null> {
  if (!settings().hasAccounts) return readLocalFrame()
  const secret = readSessionCookie(own.get('cookie'))
  const frame = secret === null ? null : await readSessionFrame(sha256Of(secret), new Date())
  if (frame?.viewer.kind === 'member') noteSignedIn(own, frame.viewer)
  return frame
}
