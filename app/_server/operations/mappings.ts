import { columnMappingSchema } from '@/lib/run/column-mapping'
import * as mappings from '@/prisma/queries/uploads/sample-mappings'
import { mappingAnswer } from '../answers/project-answers'
import { conflict, json, list, nothing, p } from './operation'
import { projectOperation } from './project-operation'

const mapping = json('The mapping, with who last changed it and when.', mappingAnswer)

export const listMappings = projectOperation(
  {
    at: `GET ${p}/mappings`,
    summary: 'Column mappings for samples from unknown tools',
    needs: 'read',
    answers: { 200: list("The project's mappings, by name.", 'mappings', mappingAnswer) },
  },
  async ({ project }) => ({ mappings: await mappings.listMappings(project) }),
)

export const getMapping = projectOperation(
  {
    at: `GET ${p}/mappings/[mapping]`,
    summary: 'Read a mapping',
    needs: 'read',
    answers: { 200: mapping },
  },
  ({ project, params }) => mappings.getMapping(project, params.mapping),
)

export const setMapping = projectOperation(
  {
    at: `PUT ${p}/mappings/[mapping]`,
    summary: 'Create or replace a mapping by name',
    needs: 'edit',
    audit: 'mapping.set',
    body: columnMappingSchema,
    answers: { 200: mapping },
    problems: conflict,
  },
  ({ project, params, body }) => mappings.setMapping(project, { name: params.mapping, mapping: body }, new Date()),
)

export const deleteMapping = projectOperation(
  {
    at: `DELETE ${p}/mappings/[mapping]`,
    summary: 'Delete a mapping',
    needs: 'edit',
    audit: 'mapping.delete',
    answers: nothing,
  },
  ({ project, params }) => mappings.deleteMapping(project, params.mapping),
)
