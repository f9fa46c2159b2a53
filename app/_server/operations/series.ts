import { z } from 'zod'
import * as environments from '@/prisma/queries/series/environments'
import { nothing, p } from './operation'
import { projectOperation } from './project-operation'

export const updateSeries = projectOperation(
  {
    at: `PATCH ${p}/series/[series]`,
    summary: 'Mark a series as a control',
    needs: 'edit',
    audit: 'series.update',
    body: z.strictObject({
      control: z
        .boolean()
        .describe('Its code never changes: it measures its environment, and is never better or worse.'),
    }),
    answers: nothing,
  },
  async ({ project, params, body: { control }, note }) => {
    note({ series: params.series })
    await environments.markControl(project, params.series, control)
  },
)
