import type { ProjectSummary, RunRow } from '@/lib/run/stored'
import { unnamedScenario, unnamedUpload } from '@/lib/project/upload-title'
import type { UploadOutcome } from './import-upload'
import { problemOf, respondJson, respondProblem, respondText } from '../http/respond'

const runUrl = (origin: string, project: ProjectSummary, run: RunRow) => `${origin}/p/${project.slug}/runs/${run.id}`

const namelessWarning =
  'no name: what is called upload joins one series with all other such uploads; end the address in the name of the file, …/uploads/NAME, or add scenario=NAME'

/** Whether a run is called as every upload without a name is. */
const isNameless = ({ upload, runs }: Extract<UploadOutcome, { kind: 'saved' | 'duplicate' }>): boolean =>
  upload.name === unnamedUpload && runs.some(({ scenario }) => scenario === unnamedScenario)

/** The response to an upload: URLs, one a line, for terminals; JSON for programs and for our own pages. */
export function respondUpload(
  outcome: UploadOutcome,
  project: ProjectSummary,
  origin: string,
  asText: boolean,
): Response {
  if (outcome.kind === 'unreadable') {
    const url = `${origin}/p/${project.slug}/upload/${outcome.upload.id}`
    return respondProblem({ ...problemOf(outcome.error), url }, asText)
  }
  if (outcome.kind === 'draft') {
    const url = `${origin}/p/${project.slug}/upload/${outcome.upload.id}`
    const savedBefore = outcome.savedBefore && {
      upload: outcome.savedBefore.upload,
      runs: outcome.savedBefore.runs.map((run) => ({ id: run.id, url: runUrl(origin, project, run) })),
    }
    return asText
      ? respondText(`${url}\n`, 201)
      : respondJson({ upload: outcome.upload, url: new URL(url).pathname, savedBefore }, 201)
  }
  const duplicate = outcome.kind === 'duplicate'
  const labelsDiffer = duplicate && outcome.labelsDiffer
  const status = duplicate ? 200 : 201
  if (!asText) {
    const runs = outcome.runs.map((run) => ({
      id: run.id,
      url: runUrl(origin, project, run),
      scenario: run.scenario,
      variant: run.variant,
      environment: run.environment,
    }))
    const warnings = isNameless(outcome) ? [namelessWarning] : []
    return respondJson({ upload: outcome.upload, duplicate, labelsDiffer, warnings, runs }, status)
  }
  const lines = outcome.runs.map((run) => runUrl(origin, project, run))
  if (duplicate) lines.push('# duplicate: these bytes were uploaded before; add again=1 to the URL for a new run')
  if (labelsDiffer) lines.push('# the labels differ from those of the first upload and were not applied')
  if (isNameless(outcome)) lines.push(`# ${namelessWarning}`)
  for (const run of outcome.runs)
    if (!run.complete) lines.push(`# truncated: ${runUrl(origin, project, run)} holds what could be read`)
  return respondText(`${lines.join('\n')}\n`, status)
}
