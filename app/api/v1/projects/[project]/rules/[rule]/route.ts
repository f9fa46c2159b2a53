import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing, route } from '@/app/_server/http/respond'
import { ruleSchema } from '@/app/_server/alerts/rule-schema'
import { getProject } from '@/prisma/queries/projects'
import { deleteRule, saveRule } from '@/prisma/queries/rules'

type Params = { project: string; rule: string }

export const PUT = route<Params>(async (request, params) => {
  const rule = await readJson(request, ruleSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await saveRule(viewer, { ...rule, projectId: project.id, ruleId: params.rule }, new Date()))
})

export const DELETE = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await deleteRule(viewer, project.id, params.rule, new Date())
  return respondNothing()
})
