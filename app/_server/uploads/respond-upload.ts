import type { ProjectAddress, RunRow } from '@/lib/run/stored'
import { nameWarnings } from '@/lib/project/upload-title'
import type { DraftAnswer, SavedUploadAnswer } from '../answers/upload-answers'
import type { UploadOutcome } from './import-upload'
import { problemOf, respondJson, respondProblem, respondText } from '../http/respond'

const runUrl = (origin: string, project: ProjectAddress, run: RunRow) => `${origin}/p/${project.slug}/runs/${run.id}`

/** What the sender of bytes that were already saved must know: what was not done with them. */
export function duplicateWords(outcome: UploadOutcome): readonly string[] {
  if (outcome.kind !== 'duplicate') return []
  const { labelsDiffer, candidateDiffers, runs } = outcome
  const were = runs.some(({ candidate }) => candidate) ? 'candidates' : 'runs of their series, not candidates'
  return [
    'duplicate: these bytes were uploaded before; add again=1 to the URL for a new run',
    ...(labelsDiffer ? ['the labels differ from those of the first upload and were not applied'] : []),
    ...(candidateDiffers ? [`they were saved as ${were}, and are judged as that`] : []),
  ]
}

/** The response to an upload: URLs, one per line, for terminals; JSON for programs and for our own pages. */
export function respondUpload(
  outcome: UploadOutcome,
  project: ProjectAddress,
  origin: string,
  asText: boolean,
): Response {
  if ('error' in outcome) {
    const url = `${origin}/p/${project.slug}/upload/${outcome.upload.id}`
    return respondProblem({ ...problemOf(outcome.error), url }, asText)
  }
  if (outcome.kind === 'draft') {
    const url = `${origin}/p/${project.slug}/upload/${outcome.upload.id}`
    const savedBefore = outcome.savedBefore && {
      upload: outcome.savedBefore.upload,
      runs: outcome.savedBefore.runs.map((run) => ({ id: run.id, url: runUrl(origin, project, run) })),
    }
    const draft: DraftAnswer = { upload: outcome.upload, url: new URL(url).pathname, savedBefore }
    return asText ? respondText(`${url}\n`, 201) : respondJson(draft, 201)
  }
  const duplicate = outcome.kind === 'duplicate'
  const labelsDiffer = duplicate && outcome.labelsDiffer
  const candidateDiffers = duplicate && outcome.candidateDiffers
  const status = duplicate ? 200 : 201
  const warnings = nameWarnings(outcome.upload.name, outcome.runs)
  if (!asText) {
    const runs = outcome.runs.map((run) => ({
      id: run.id,
      url: runUrl(origin, project, run),
      scenario: run.scenario,
      variant: run.variant,
      environment: run.environment,
    }))
    const { upload } = outcome
    const answer: SavedUploadAnswer = { upload, duplicate, labelsDiffer, candidateDiffers, warnings, runs }
    return respondJson(answer, status)
  }
  const lines = outcome.runs.map((run) => runUrl(origin, project, run))
  for (const words of duplicateWords(outcome)) lines.push(`# ${words}`)
  for (const warning of warnings) lines.push(`# ${warning}`)
  for (const run of outcome.runs)
    if (!run.complete) lines.push(`# truncated: ${runUrl(origin, project, run)} holds what could be read`)
  return respondText(`${lines.join('\n')}\n`, status)
}
