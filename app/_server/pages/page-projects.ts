import type { ProjectName } from '@/lib/project/stored-projects'
import { currentViewer, pageFrame } from './current-viewer'

/** The projects of the viewer: the frame lists them, and each page finds its own there. */
export async function pageProjects(): Promise<readonly ProjectName[]> {
  await currentViewer()
  const projects = (await pageFrame())?.projects ?? []
  return projects.map(
    ({ candidateRule: _rule, controlRule: _control, version: _version, limits: _limits, ...shown }) => shown,
  )
}
