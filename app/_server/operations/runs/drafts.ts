import { z } from 'zod'
import { mergedForm } from '@/lib/run/merged-form'
import * as uploads from '@/prisma/queries/uploads/uploads'
import { mergePlanAnswer } from '../../answers/run-answers'
import { savedDraftAnswer, uploadAnswer } from '../../answers/upload-answers'
import { mapDraftSchema, mergeDraftSchema, saveDraftSchema } from '../../schemas'
import { describePlan, planDraftMerge, saveDraftMerged } from '../../uploads/merge-runs'
import * as reimport from '../../uploads/reimport-upload'
import { uploadSlots } from '../../uploads/upload-slots'
import { conflict, json, p, refusedFile } from '../operation'
import { projectOperation } from '../project-operation'

export const planDraft = projectOperation(
  {
    at: `POST ${p}/uploads/[upload]/merge`,
    summary: "Preview the merge of a draft's runs; changes nothing",
    needs: 'read',
    body: mergeDraftSchema,
    answers: { 200: json('The merged figures, or why the runs cannot be merged.', mergePlanAnswer) },
    problems: conflict,
  },
  async ({ project, params, body }) =>
    describePlan(await planDraftMerge(project, { uploadId: params.upload, ...body })),
)

export const mapDraft = projectOperation(
  {
    at: `POST ${p}/uploads/[upload]/map`,
    summary: 'Read a draft as samples through a mapping',
    needs: 'edit',
    audit: 'upload.map',
    body: mapDraftSchema,
    answers: { 200: json('The draft with the runs found in it.', z.object({ upload: uploadAnswer })) },
    problems: { ...conflict, 422: refusedFile },
    options: { slots: uploadSlots },
  },
  async ({ project, params, body }) => ({ upload: await reimport.mapDraft(project, params.upload, body.mapping) }),
)

export const saveDraft = projectOperation(
  {
    at: `POST ${p}/uploads/[upload]/save`,
    summary: 'Save a draft',
    needs: 'edit',
    audit: 'upload.save',
    body: saveDraftSchema,
    answers: { 201: json('Its runs.', savedDraftAnswer) },
    problems: conflict,
  },
  async ({ project, params, body: { edits, merge }, note }) => {
    const draft = { uploadId: params.upload, edits }
    const runs = merge ? await saveDraftMerged(project, { ...draft, merge }) : await uploads.saveDraft(project, draft)
    const made = merge ? runs.find(({ form }) => form === mergedForm)?.id : undefined
    if (made !== undefined) note({ run: made })
    const saved = runs.map((run) => ({ id: run.id, url: `/p/${project.slug}/runs/${run.id}` }))
    return { runs: saved, merged: made ?? null }
  },
)
