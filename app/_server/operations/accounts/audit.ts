import { z } from 'zod'
import { listAuditEntries } from '@/prisma/queries/accounts/audit'
import { auditAnswer } from '../../answers/account-answers'
import { json, p } from '../operation'
import { operation, projectOperation } from '../project-operation'

const page = {
  query: z.object({ before: z.string().optional().describe('The `next` of the previous page, for older entries.') }),
  answers: { 200: json('Newest entries first.', auditAnswer) },
} as const

export const listAudit = operation(
  { at: 'GET /api/v1/audit', summary: 'Audit log of the installation', needs: 'owner', ...page },
  ({ viewer, query }) => listAuditEntries(viewer, null, query.before ?? null),
)

export const listProjectAudit = projectOperation(
  { at: `GET ${p}/audit`, summary: 'Audit log of a project', needs: 'administer', ...page },
  ({ project, query }) => listAuditEntries(project.viewer, project.id, query.before ?? null),
)
