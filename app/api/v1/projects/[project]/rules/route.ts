import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { ruleSchema } from '@/app/_server/alerts/rule-schema'
import { getProject } from '@/prisma/queries/projects'
import { listRules, saveRule } from '@/prisma/queries/rules'

export const GET = route<{ project: string }>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ rules: await listRules(viewer, project.id) })
})

export const POST = mutation<{ project: string }>('rule.create', async (request, params, viewer) => {
  const rule = await readJson(request, ruleSchema)
  const project = await getProject(viewer, params.project)
  return respondJson(await saveRule(viewer, { ...rule, projectId: project.id, ruleId: null }, new Date()), 201)
})
