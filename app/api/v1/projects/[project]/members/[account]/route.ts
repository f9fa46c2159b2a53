import { memberSchema } from '@/app/_server/accounts/schemas'
import { readJson } from '@/app/_server/http/read-json'
import { respondNothing } from '@/app/_server/http/respond'
import { mutation, noteSubject } from '@/app/_server/http/route'
import { removeMember, setMemberRole } from '@/prisma/queries/accounts/members'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; account: string }

export const PATCH = mutation<Params>('member.update', async (request, params, viewer) => {
  const { role } = await readJson(request, memberSchema)
  const project = await getProject(viewer, params.project)
  await setMemberRole(viewer, project.id, params.account, role)
  noteSubject(request, { role })
  return respondNothing()
})

export const DELETE = mutation<Params>('member.remove', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await removeMember(viewer, project.id, params.account)
  return respondNothing()
})
