import { z } from 'zod'
import * as mergedRuns from '@/prisma/queries/runs/merged-runs'
import { mergePlanAnswer, runRowAnswer } from '../../answers/run-answers'
import { mergePlanSchema, mergeRunsSchema } from '../../schemas'
import { describePlan, mergeStoredRuns, planMerge } from '../../uploads/merge-runs'
import { conflict, inQuery, json, p, text } from '../operation'
import { projectOperation } from '../project-operation'

export const planRuns = projectOperation(
  {
    at: `GET ${p}/runs/merge`,
    summary: 'Preview the merge of runs from several generators of one test',
    needs: 'read',
    readQuery: (params) => mergePlanSchema.parse(params.getAll('run')),
    parameters: [inQuery('run', 'The id of a run; repeatable.', { type: 'array', items: text })],
    answers: { 200: json('The merged figures, or why the runs cannot be merged.', mergePlanAnswer) },
  },
  async ({ project, query: ids }) => describePlan(await planMerge(project, ids)),
)

export const mergeRuns = projectOperation(
  {
    at: `POST ${p}/runs/merge`,
    summary: 'Merge runs from several generators of one test',
    needs: 'edit',
    audit: 'runs.merge',
    body: mergeRunsSchema,
    answers: { 201: json('The run.', runRowAnswer) },
    problems: conflict,
  },
  async ({ project, body, note }) => {
    const made = await mergeStoredRuns(project, body.runs)
    note({ run: made.id })
    return made
  },
)

export const splitRun = projectOperation(
  {
    at: `POST ${p}/runs/[run]/split`,
    summary: 'Split a merged run into its parts',
    needs: 'edit',
    audit: 'run.split',
    answers: { 200: json('The ids of the parts.', z.object({ runs: z.array(z.string()) })) },
    problems: conflict,
  },
  async ({ project, params }) => ({ runs: await mergedRuns.splitRun(project, params.run) }),
)
