import { judgeInTime } from '@/app/_server/alerts/judge-upload'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { wantsText } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { readGateRequest, respondGate } from '@/app/_server/alerts/respond-gate'
import { settings } from '@/app/_server/settings'
import { NotFoundError } from '@/lib/errors'
import { findUploadTarget, grant } from '@/prisma/queries/projects/projects'
import { listUploadRuns } from '@/prisma/queries/runs/runs'
import { getUpload } from '@/prisma/queries/uploads/uploads'

export const GET = route<{ project: string; upload: string }>(
  async (request, params, sender) => {
    const target = await findUploadTarget(sender, params.project, 'read')
    if (target === null) throw new NotFoundError('Project')
    const gate = readGateRequest(new URL(request.url), wantsText(request))
    const { project, viewer } = target
    const { name: uploadName } = await getUpload(viewer, project.id, params.upload)
    const runs = await listUploadRuns(await grant(viewer, project, 'read'), params.upload)
    const own = { projectId: project.id, uploadId: params.upload, runs }
    const verdict = await judgeInTime(viewer, { ...own, wait: gate.wait }, settings().gateMs)
    return respondGate({ ...own, verdict, project, uploadName }, requestOrigin(request.headers), gate)
  },
  { text: true },
)
