import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { annotationSchema } from '@/app/_server/schemas'
import { addAnnotation, listAnnotations } from '@/prisma/queries/annotations'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string }>(async (request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  const scenario = new URL(request.url).searchParams.get('scenario')
  return respondJson({ annotations: await listAnnotations(viewer, project.id, scenario) })
})

export const POST = mutation<{ project: string }>('annotation.create', async (request, params, viewer) => {
  const { at = new Date().toISOString(), ...annotation } = await readJson(request, annotationSchema)
  const project = await getProject(viewer, params.project)
  return respondJson(await addAnnotation(viewer, project.id, { ...annotation, at }), 201)
})
