import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, noteSubject, route } from '@/app/_server/http/route'
import { createProjectSchema, slugFrom } from '@/app/_server/schemas'
import { InvalidInputError } from '@/lib/errors'
import { createProject, listProjects } from '@/prisma/queries/projects'

export const GET = route(async (_request, _params, viewer) => respondJson({ projects: await listProjects(viewer) }))

export const POST = mutation('project.create', async (request, _params, viewer) => {
  const input = await readJson(request, createProjectSchema)
  const slug = input.slug ?? slugFrom(input.name)
  if (slug === null) throw new InvalidInputError('The name holds no letter or digit; give a slug.', { field: 'slug' })
  const project = await createProject(viewer, { slug, name: input.name })
  noteSubject(request, { project: project.slug, name: project.name })
  return respondJson(project, 201)
})
