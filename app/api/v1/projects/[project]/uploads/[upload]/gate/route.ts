import { judgeInTime } from '@/app/_server/alerts/judge-upload'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { wantsText } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { readGateRequest, respondGate } from '@/app/_server/alerts/respond-gate'
import { settings } from '@/app/_server/settings'
import { NotFoundError } from '@/lib/errors'
import { findUploadTarget } from '@/prisma/queries/projects/projects'
import { listUploadRuns } from '@/prisma/queries/runs/runs'
import { getUpload } from '@/prisma/queries/uploads/uploads'

export const GET = route<{ project: string; upload: string }>(
  async (request, params, sender) => {
    const project = await findUploadTarget(sender, params.project, 'read')
    if (project === null) throw new NotFoundError('Project')
    const gate = readGateRequest(new URL(request.url), wantsText(request))
    const { name: uploadName } = await getUpload(project, params.upload)
    const runs = await listUploadRuns(project, params.upload)
    const own = { projectId: project.id, uploadId: params.upload, runs }
    const verdict = await judgeInTime(project.viewer, { ...own, ...gate }, settings().gateMs)
    return respondGate({ ...own, verdict, project, uploadName }, requestOrigin(request.headers), gate)
  },
  { text: true },
)
