import { z } from 'zod'
import type { GateVerdict } from '@/lib/gate'
import { gateMarkdown, gateSentence, gateText } from '@/lib/gate-words'
import type { ProjectSummary, RunRow } from '@/lib/stored'
import { respondJson, respondText } from './respond'

/** How a build asks: how many runs of a commit it wants, and in which form it reads the answer. */
export interface GateRequest {
  readonly wait: number
  readonly form: 'text' | 'markdown' | 'json'
}

const paramsSchema = z.object({
  wait: z.coerce.number().int().min(1).max(50).default(1),
  format: z.enum(['text', 'md', 'json']).optional(),
})

/** Reads `wait` and `format` of an address. Throws ZodError. */
export function readGateRequest(url: URL, asText: boolean): GateRequest {
  const { wait, format } = paramsSchema.parse(Object.fromEntries(url.searchParams))
  const form = format === 'md' ? 'markdown' : (format ?? (asText ? 'text' : 'json'))
  return { wait, form }
}

/** 200 passed or not judged, 202 more runs are wanted, 422 worse: `curl --fail-with-body` then ends with 22. */
const statuses: Readonly<Record<GateVerdict['result'], number>> = {
  passed: 200,
  'not-judged': 200,
  waiting: 202,
  failed: 422,
}

interface GateAnswer {
  readonly verdict: GateVerdict
  readonly project: ProjectSummary
  readonly runs: readonly RunRow[]
  readonly uploadId: string
}

/** The verdict with the runs' addresses. */
export function respondGate(
  { verdict, project, runs, uploadId }: GateAnswer,
  origin: string,
  form: GateRequest['form'],
): Response {
  const status = statuses[verdict.result]
  const links = runs.map((run) => ({
    name: [run.scenario, run.variant].filter((name) => name !== null).join(' · '),
    url: `${origin}/p/${project.slug}/runs/${run.id}`,
  }))
  if (form === 'markdown') {
    return new Response(gateMarkdown(verdict, links), {
      status,
      headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-store' },
    })
  }
  const again = `${origin}/api/v1/projects/${project.slug}/uploads/${uploadId}/gate`
  if (form === 'text') {
    const urls = links.map(({ url }) => url).join('\n')
    return respondText(`${gateText(verdict)}\n\n${urls}\n# ask again: ${again}\n`, status)
  }
  const rows = verdict.rows.map(({ line, metric, check, verdict: judged, runs: count }) => ({
    seriesId: line.series.id,
    scenario: line.series.scenario,
    variant: line.series.variant,
    environment: line.series.environment,
    profile: line.profile,
    metric: metric.id,
    unit: metric.unit,
    verdict: judged,
    runs: count,
    ...check,
  }))
  const { result, missing } = verdict
  return respondJson({ result, sentence: gateSentence(verdict), missing, rows, runs: links, url: again }, status)
}
