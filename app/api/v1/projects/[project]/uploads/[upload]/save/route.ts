import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, noteSubject } from '@/app/_server/http/route'
import { saveDraftSchema } from '@/app/_server/schemas'
import { saveDraftMerged } from '@/app/_server/uploads/merge-runs'
import { mergedForm } from '@/lib/merge/merge-runs'
import { getProject } from '@/prisma/queries/projects'
import { saveDraft } from '@/prisma/queries/uploads'

type Params = { project: string; upload: string }

export const POST = mutation<Params>('upload.save', async (request, params, viewer) => {
  const project = await getProject(viewer, params.project, 'edit')
  const { edits, merge } = await readJson(request, saveDraftSchema)
  const draft = { projectId: project.id, uploadId: params.upload, edits }
  const runs = merge ? await saveDraftMerged(viewer, { ...draft, merge }) : await saveDraft(viewer, draft)
  const made = merge ? runs.find(({ form }) => form === mergedForm)?.id : undefined
  if (made !== undefined) noteSubject(request, { run: made })
  const saved = runs.map((run) => ({ id: run.id, url: `/p/${project.slug}/runs/${run.id}` }))
  return respondJson({ runs: saved, merged: made ?? null }, 201)
})
