import { listComparisons } from '@/prisma/queries/projects/comparisons'
import { listRuns } from '@/prisma/queries/runs/runs'
import { searchAnswer } from '../answers/run-answers'
import { json, p } from './operation'
import { searchSchema } from '../schemas'
import { projectOperation } from './project-operation'

export const searchProject = projectOperation(
  {
    at: `GET ${p}/search`,
    summary: 'The newest runs and saved comparisons that match a text',
    needs: 'read',
    query: searchSchema,
    answers: { 200: json('Found, newest first.', searchAnswer) },
  },
  async ({ project, query: { text, limit } }) => {
    const newest = { sort: 'time', direction: 'desc', limit } as const
    const { rows } = await listRuns(project, { text }, newest)
    const saved = await listComparisons(project, { text, limit })
    return {
      runs: rows.map(({ id, scenario, variant, environment, labels, tool, orderedAt, judged }) => {
        return { id, scenario, variant, environment, labels, tool, orderedAt, judged }
      }),
      comparisons: saved.map(({ id, name, kind }) => ({ id, name, kind })),
    }
  },
)
