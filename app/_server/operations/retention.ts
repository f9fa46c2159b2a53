import { retentionSchema } from '@/lib/project/project-settings'
import * as projects from '@/prisma/queries/projects/projects'
import { retentionAnswer } from '../answers/project-answers'
import { json, p } from './operation'
import { projectOperation } from './project-operation'

const retention = json('Days until runs and raw files are trashed; null: never.', retentionAnswer)

export const getRetention = projectOperation(
  {
    at: `GET ${p}/retention`,
    summary: 'Retention',
    needs: 'read',
    answers: { 200: retention },
  },
  ({ project }) => projects.getRetention(project),
)

export const setRetention = projectOperation(
  {
    at: `PUT ${p}/retention`,
    summary: 'Set the retention',
    needs: 'administer',
    audit: 'retention.set',
    body: retentionSchema,
    answers: { 200: retention },
  },
  async ({ project, body }) => {
    await projects.setRetention(project, body)
    return body
  },
)
