import { currentViewer } from '@/app/_server/current-viewer'
import { judgeUpload } from '@/app/_server/judge-upload'
import { requestOrigin } from '@/app/_server/request-origin'
import { route, wantsText } from '@/app/_server/respond'
import { readGateRequest, respondGate } from '@/app/_server/respond-gate'
import { getProject } from '@/prisma/queries/projects'
import { listUploadRuns } from '@/prisma/queries/runs'

export const GET = route<{ project: string; upload: string }>(
  async (request, params) => {
    const { wait, form } = readGateRequest(new URL(request.url), wantsText(request))
    const viewer = await currentViewer()
    const project = await getProject(viewer, params.project)
    const runs = await listUploadRuns(viewer, project.id, params.upload)
    const verdict = await judgeUpload(viewer, project.id, runs, wait)
    return respondGate({ verdict, project, runs, uploadId: params.upload }, requestOrigin(request.headers), form)
  },
  { text: true },
)
