import type { ProjectAddress } from '@/lib/project/stored-projects'
import type { RunRow } from '@/lib/history/stored-runs'
import { nameWarnings } from '@/lib/project/upload-title'
import type { DraftAnswer, SavedUploadAnswer } from '../answers/upload-answers'
import type { UploadOutcome } from './import-upload'
import { problemOf, respondJson, respondProblem, respondText, type Problem } from '../http/respond'

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

type Refused = Extract<UploadOutcome, { readonly error: unknown }>

/** Why nothing was saved of an upload, with the address of the draft that shows it. */
export const problemOfUpload = ({ error, upload }: Refused, project: ProjectAddress, origin: string): Problem => ({
  ...problemOf(error),
  url: `${origin}/p/${project.slug}/upload/${upload.id}`,
})

/** What became of an upload, for terminals: addresses, one per line, and what to know of them. */
export function uploadLines(outcome: Exclude<UploadOutcome, Refused>, project: ProjectAddress, origin: string): string {
  if (outcome.kind === 'draft') return `${origin}/p/${project.slug}/upload/${outcome.upload.id}\n`
  const lines = outcome.runs.map((run) => runUrl(origin, project, run))
  const words = [...duplicateWords(outcome), ...nameWarnings(outcome.upload.name, outcome.runs)]
  for (const run of outcome.runs)
    if (!run.complete) words.push(`truncated: ${runUrl(origin, project, run)} holds what could be read`)
  return [...lines, ...words.map((one) => `# ${one}`), ''].join('\n')
}

/** The response to an upload: lines for terminals; JSON for programs and for our own pages. */
export function respondUpload(
  outcome: UploadOutcome,
  project: ProjectAddress,
  origin: string,
  asText: boolean,
): Response {
  if ('error' in outcome) return respondProblem(problemOfUpload(outcome, project, origin), asText)
  const status = outcome.kind === 'duplicate' ? 200 : 201
  if (asText) return respondText(uploadLines(outcome, project, origin), status)
  return respondJson(uploadAnswer(outcome, project, origin), status)
}

function uploadAnswer(
  outcome: Exclude<UploadOutcome, Refused>,
  project: ProjectAddress,
  origin: string,
): DraftAnswer | SavedUploadAnswer {
  const { upload } = outcome
  const linkOf = (run: RunRow) => ({ id: run.id, url: runUrl(origin, project, run) })
  if (outcome.kind === 'draft') {
    const savedBefore = outcome.savedBefore && {
      upload: outcome.savedBefore.upload,
      runs: outcome.savedBefore.runs.map(linkOf),
    }
    return { upload: outcome.upload, url: `/p/${project.slug}/upload/${upload.id}`, savedBefore }
  }
  const runs = outcome.runs.map((run) => {
    const { scenario, variant, environment } = run
    return { ...linkOf(run), scenario, variant, environment }
  })
  const isDuplicate = outcome.kind === 'duplicate'
  return {
    upload,
    duplicate: isDuplicate,
    labelsDiffer: isDuplicate && outcome.labelsDiffer,
    candidateDiffers: isDuplicate && outcome.candidateDiffers,
    warnings: nameWarnings(upload.name, outcome.runs),
    runs,
  }
}
