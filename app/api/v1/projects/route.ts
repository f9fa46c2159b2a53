import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { createProjectSchema, slugFrom } from '@/app/_server/schemas'
import { InvalidInputError } from '@/lib/errors'
import { createProject, listProjects } from '@/prisma/queries/projects'

export const GET = route(async () => respondJson({ projects: await listProjects(await currentViewer()) }))

export const POST = route(async (request) => {
  const input = await readJson(request, createProjectSchema)
  const slug = input.slug ?? slugFrom(input.name)
  if (slug === null) throw new InvalidInputError('The name holds no letter or digit; give a slug.', { field: 'slug' })
  return respondJson(await createProject(await currentViewer(), { slug, name: input.name }), 201)
})
