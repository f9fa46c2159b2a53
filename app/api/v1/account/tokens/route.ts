import { makeToken } from '@/app/_server/accounts/make-token'
import { tokenSchema } from '@/app/_server/accounts/schemas'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, noteSubject, route } from '@/app/_server/http/route'
import { listOwnTokens } from '@/prisma/queries/accounts/tokens'

export const GET = route(async (_request, _params, viewer) => respondJson({ tokens: await listOwnTokens(viewer) }))

export const POST = mutation('token.create', async (request, _params, viewer) => {
  const input = await readJson(request, tokenSchema)
  const made = await makeToken(viewer, input, new Date())
  const project = made.project === null ? {} : { project: made.project.slug }
  noteSubject(request, { token: made.id, name: `${made.name} (${made.scope})`, ...project })
  return respondJson(made, 201)
})
