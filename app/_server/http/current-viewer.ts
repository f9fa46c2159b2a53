import { headers } from 'next/headers'
import { localViewer, type Viewer } from '@/lib/viewer'

/** Somebody who may see nothing: what a link opens comes from its share alone. */
export const stranger: Viewer = { kind: 'share', runIds: [] }

/** Whether this request is for a shared page or file: they are drawn for a stranger, also on this machine. */
export async function isShareRequest(): Promise<boolean> {
  return (await headers()).get('x-tailboard-share') === '1'
}

/**
 * The viewer of this request. The request guard lets only this machine past `/s/`, so there it is the local viewer
 * until accounts exist.
 */
export async function currentViewer(): Promise<Viewer> {
  return (await isShareRequest()) ? stranger : localViewer
}
