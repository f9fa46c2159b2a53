import { z } from 'zod'
import * as comparisons from '@/prisma/queries/projects/comparisons'
import { comparisonAnswer } from '../answers/project-answers'
import { json, nothing, p } from './operation'
import { comparisonEditsSchema, comparisonSchema } from '../schemas'
import { projectOperation } from './project-operation'

const saved = json('The saved comparison.', comparisonAnswer)

export const listComparisons = projectOperation(
  {
    at: `GET ${p}/comparisons`,
    summary: 'Saved comparisons',
    needs: 'read',
    answers: { 200: json('Most recently changed first.', z.array(comparisonAnswer)) },
  },
  ({ project }) => comparisons.listComparisons(project),
)

export const createComparison = projectOperation(
  {
    at: `POST ${p}/comparisons`,
    summary: 'Save a comparison or matrix',
    needs: 'edit',
    audit: 'comparison.create',
    body: comparisonSchema,
    answers: { 201: saved },
  },
  async ({ project, body, note }) => {
    const made = await comparisons.createComparison(project, body)
    note({ comparison: made.id, name: made.name })
    return made
  },
)

export const getComparison = projectOperation(
  {
    at: `GET ${p}/comparisons/[comparison]`,
    summary: 'Read a saved comparison',
    needs: 'read',
    answers: { 200: saved },
  },
  ({ project, params }) => comparisons.getComparison(project, params.comparison),
)

export const updateComparison = projectOperation(
  {
    at: `PATCH ${p}/comparisons/[comparison]`,
    summary: 'Edit a saved comparison',
    needs: 'edit',
    audit: 'comparison.update',
    body: comparisonEditsSchema,
    answers: { 200: saved },
  },
  ({ project, params, body }) => comparisons.updateComparison(project, params.comparison, body),
)

export const deleteComparison = projectOperation(
  {
    at: `DELETE ${p}/comparisons/[comparison]`,
    summary: 'Delete a saved comparison',
    needs: 'edit',
    audit: 'comparison.delete',
    answers: nothing,
  },
  ({ project, params }) => comparisons.deleteComparison(project, params.comparison),
)
