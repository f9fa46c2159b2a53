import { localViewer, type Viewer } from '@/lib/viewer'

/** Who is looking. The request guard lets only this machine in, so it is always the local viewer until accounts exist. */
export async function currentViewer(): Promise<Viewer> {
  return localViewer
}
