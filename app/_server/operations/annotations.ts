import { z } from 'zod'
import * as annotations from '@/prisma/queries/series/annotations'
import { annotationAnswer } from '../answers/project-answers'
import { json, list, nothing, p } from './operation'
import { annotationSchema } from '../schemas'
import { projectOperation } from './project-operation'

export const listAnnotations = projectOperation(
  {
    at: `GET ${p}/annotations`,
    summary: 'Events marked on trends',
    needs: 'read',
    query: z.object({
      scenario: z.string().optional().describe('Events of this scenario, and those of the whole project.'),
    }),
    answers: { 200: list('Annotations.', 'annotations', annotationAnswer) },
  },
  async ({ project, query }) => ({
    annotations: await annotations.listAnnotations(project, query.scenario ?? null),
  }),
)

export const addAnnotation = projectOperation(
  {
    at: `POST ${p}/annotations`,
    summary: 'Mark an event on trends',
    needs: 'edit',
    audit: 'annotation.create',
    body: annotationSchema,
    answers: { 201: json('The annotation.', annotationAnswer) },
  },
  async ({ project, body: { at = new Date().toISOString(), ...annotation }, note }) => {
    const made = await annotations.addAnnotation(project, { ...annotation, at })
    note({ annotation: made.id, name: made.text })
    return made
  },
)

export const deleteAnnotation = projectOperation(
  {
    at: `DELETE ${p}/annotations/[annotation]`,
    summary: 'Delete an annotation',
    needs: 'edit',
    audit: 'annotation.delete',
    answers: nothing,
  },
  ({ project, params }) => annotations.deleteAnnotation(project, params.annotation),
)
