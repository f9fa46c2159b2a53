import { z } from 'zod'
import { plural } from '@/lib/format'
import { mergedForm } from '@/lib/run/merged-form'
import { readColumns } from '@/lib/run/metrics'
import { listParts } from '@/prisma/queries/runs/merged-runs'
import * as runs from '@/prisma/queries/runs/runs'
import { deleteRuns, updateRuns } from '@/prisma/queries/projects/trash'
import { runAnswer, runPageAnswer } from '../../answers/run-answers'
import { exportSlots } from '../../http/export-slots'
import { readRunQuery, runQuerySchema } from '../../http/run-query'
import { bulkSchema, moveRunSchema, runEditsSchema } from '../../schemas'
import { fileOfRun } from '../../uploads/run-file'
import { fileOfRuns } from '../../uploads/runs-file'
import { conflict, file, inQuery, json, nothing, p, text } from '../operation'
import { projectOperation } from '../project-operation'

const run = json('The run.', runAnswer)
const label = inQuery('label', '`key=value`; repeatable.', { type: 'array', items: text })

export const listRuns = projectOperation(
  {
    at: `GET ${p}/runs`,
    summary: 'List runs',
    needs: 'read',
    query: runQuerySchema,
    readQuery: readRunQuery,
    parameters: [label],
    answers: { 200: json('A page.', runPageAnswer) },
  },
  ({ project, query }) => runs.listRuns(project, query.filter, query.page),
)

export const exportRuns = projectOperation(
  {
    at: `GET ${p}/runs.csv`,
    summary: 'List runs as CSV, at most 10,000',
    needs: 'read',
    query: runQuerySchema,
    readQuery: (params) => ({ ...readRunQuery(params), columns: readColumns(params) }),
    parameters: [label, inQuery('columns', 'Ids of metrics, separated by commas.')],
    answers: {
      200: {
        ...file('The list.', 'text/csv'),
        headers: { 'x-next-cursor': 'The cursor for the next file; absent in the last one.' },
      },
    },
    problems: { 503: ['busy'] },
    options: { slots: exportSlots },
  },
  ({ project, query }) => fileOfRuns(project, query),
)

export const changeRuns = projectOperation(
  {
    at: `POST ${p}/runs/bulk`,
    summary: 'Edit or trash several runs',
    needs: 'edit',
    audit: 'runs.change',
    body: bulkSchema,
    answers: nothing,
  },
  async ({ project, body: { runs: ids, ...change }, note }) => {
    if (change.action === 'delete') await deleteRuns(project, ids)
    else await updateRuns(project, ids, change)
    note({ name: `${change.action === 'delete' ? 'trashed' : 'edited'}: ${plural(ids.length, 'run')}` })
  },
)

export const getRun = projectOperation(
  { at: `GET ${p}/runs/[run]`, summary: 'Read a run', needs: 'read', answers: { 200: run } },
  async ({ project, params }) => {
    const found = await runs.getRun(project, params.run)
    return found.form === mergedForm ? { ...found, parts: await listParts(project, found.id) } : found
  },
)

export const updateRun = projectOperation(
  {
    at: `PATCH ${p}/runs/[run]`,
    summary: 'Edit a run',
    needs: 'edit',
    audit: 'run.update',
    body: runEditsSchema.omit({ include: true }),
    answers: { 200: run },
  },
  ({ project, params, body }) => runs.updateRun(project, params.run, body),
)

export const deleteRun = projectOperation(
  {
    at: `DELETE ${p}/runs/[run]`,
    summary: 'Move a run to the trash',
    needs: 'edit',
    audit: 'run.delete',
    answers: nothing,
  },
  ({ project, params }) => runs.deleteRun(project, params.run),
)

export const restoreRun = projectOperation(
  {
    at: `POST ${p}/runs/[run]/restore`,
    summary: 'Restore a run from the trash',
    needs: 'edit',
    audit: 'run.restore',
    answers: nothing,
    problems: conflict,
  },
  ({ project, params }) => runs.restoreRun(project, params.run),
)

export const moveRun = projectOperation(
  {
    at: `POST ${p}/runs/[run]/move`,
    summary: 'Move a run to another project',
    needs: 'edit',
    audit: 'run.move',
    body: moveRunSchema,
    answers: { 200: json('The path of its page.', z.object({ url: z.string() })) },
  },
  async ({ project, params, body }) => {
    await runs.moveRun(project, { runId: params.run, toProjectSlug: body.project })
    return { url: `/p/${body.project}/runs/${params.run}` }
  },
)

export const getRunFile = projectOperation(
  {
    at: `GET ${p}/runs/[run]/files/[file]`,
    summary: 'A part of a run as a file',
    needs: 'read',
    parameters: [
      inQuery('of', 'For latency-ms.hgrm: the distribution.', {
        type: 'string',
        enum: ['all', 'success', 'failure', 'recorded', 'uncorrected'],
      }),
    ],
    answers: { 200: file('percentiles.csv, timeline.csv, targets.csv or latency-ms.hgrm.', 'text/csv', 'text/plain') },
  },
  async ({ project, params, request }) => {
    const { imported } = await runs.getRun(project, params.run)
    return fileOfRun(imported, params.file, new URL(request.url).searchParams, params.run)
  },
)
