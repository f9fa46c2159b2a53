import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { ruleSchema } from '@/app/_server/alerts/rule-schema'
import { getProject } from '@/prisma/queries/projects'
import { listRules, saveRule } from '@/prisma/queries/rules'

export const GET = route<{ project: string }>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson({ rules: await listRules(viewer, project.id) })
})

export const POST = route<{ project: string }>(async (request, params) => {
  const rule = await readJson(request, ruleSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await saveRule(viewer, { ...rule, projectId: project.id, ruleId: null }, new Date()), 201)
})
