import type { FrameProject } from '@/prisma/queries/projects/frames'
import { currentViewer, pageFrame } from './current-viewer'

/** The projects of the viewer: the frame lists them, and each page finds its own there. */
export async function pageProjects(): Promise<readonly FrameProject[]> {
  await currentViewer()
  return (await pageFrame())?.projects ?? []
}
