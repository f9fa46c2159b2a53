import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { ruleSchema } from '@/app/_server/alerts/rule-schema'
import { getProject } from '@/prisma/queries/projects'
import { deleteRule, saveRule } from '@/prisma/queries/rules'

type Params = { project: string; rule: string }

export const PUT = mutation<Params>('rule.update', async (request, params, viewer) => {
  const rule = await readJson(request, ruleSchema)
  const project = await getProject(viewer, params.project)
  return respondJson(await saveRule(viewer, { ...rule, projectId: project.id, ruleId: params.rule }, new Date()))
})

export const DELETE = mutation<Params>('rule.delete', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await deleteRule(viewer, project.id, params.rule, new Date())
  return respondNothing()
})
