import { momentSchema } from '@/lib/run/moment'
import { z } from 'zod'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { annotationKinds } from '@/lib/project/annotations'
import { addAnnotation, listAnnotations } from '@/prisma/queries/annotations'
import { getProject } from '@/prisma/queries/projects'

/** `at` absent: now, so that a deploy script need not know the time. */
const annotationSchema = z.strictObject({
  kind: z.enum(annotationKinds),
  text: z.string().trim().min(1).max(500),
  at: momentSchema.optional(),
  scenario: z.string().trim().min(1).max(200).nullable().default(null),
})

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
