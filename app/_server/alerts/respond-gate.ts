import { z } from 'zod'
import { alertTitle } from '@/lib/rules/alert-words'
import { failsBuild, missedByRow, type GateRow, type GateVerdict } from '@/lib/gate/gate'
import { gateMarkdown, gateSentence, gateText } from '@/lib/gate/gate-words'
import { mostRepeats, settlingRepeats } from '@/lib/gate/repeats'
import { ruleWords } from '@/lib/rules/rule-words'
import type { Rule } from '@/lib/rules/rules'
import { nameWarnings } from '@/lib/project/upload-title'
import type { ProjectAddress } from '@/lib/project/stored-projects'
import type { RunRow } from '@/lib/history/stored-runs'
import type { Verdict, VerdictRow } from '../answers/gate-answer'

/** A build's request: how many runs of a commit it wants, and the form of the response. */
export interface GateRequest {
  readonly wait: number
  readonly strict: boolean
  /** The most repeats that may be asked for; 0: none. */
  readonly repeat: number
  readonly form: 'text' | 'markdown' | 'json'
}

/** The query parameters that ask for a verdict. */
export const gateQuerySchema = z.object({
  wait: z.coerce.number().int().min(1).max(50).default(1),
  format: z.enum(['text', 'md', 'json']).optional(),
  repeat: z
    .string()
    .regex(new RegExp(`^auto(?::[${settlingRepeats}-${mostRepeats}])?$`))
    .optional()
    .describe(
      `auto: where one run is off, the response asks for ${settlingRepeats} repeats, by which it is judged; auto:${mostRepeats}: for up to ${mostRepeats} where they leave a doubt.`,
    ),
  strict: z.enum(['0', '1']).default('0').describe('1: a build fails as well when its whole environment is off.'),
})

/** Reads what an address asks of the gate. Throws ZodError. */
export function readGateRequest(url: URL, asText: boolean): GateRequest {
  const { wait, format, strict, repeat } = gateQuerySchema.parse(Object.fromEntries(url.searchParams))
  const form = format === 'md' ? 'markdown' : (format ?? (asText ? 'text' : 'json'))
  return { wait, strict: strict === '1', repeat: repeatsIn(repeat), form }
}

const repeatsIn = (asked: string | undefined): number =>
  asked === undefined ? 0 : Number(asked.split(':')[1] ?? settlingRepeats)

/** 200 passed or not judged, 202 ask again, 422 worse: `curl --fail-with-body` then ends with 22. */
const statuses: Readonly<Record<GateVerdict['result'], number>> = {
  passed: 200,
  'not-judged': 200,
  waiting: 202,
  repeat: 202,
  pending: 202,
  failed: 422,
}

interface GateAnswer {
  /** Null: judging takes longer than a request may. */
  readonly verdict: GateVerdict | null
  readonly project: ProjectAddress
  readonly runs: readonly RunRow[]
  readonly uploadId: string
  readonly uploadName: string
  /** Notes for the sender beside the verdict. */
  readonly notes?: readonly string[]
}

const pending: GateVerdict = {
  result: 'pending',
  missing: 0,
  unsettled: null,
  rows: [],
  refused: [],
  failedImport: null,
  problem: null,
  nothing: null,
  openAlerts: [],
}
const pollSeconds = 2
/** The count is given; a longer list of titles goes unread in a build's log. */
const maxOpenAlerts = 5

/**
 * The verdict with the runs' addresses; without one, or while more runs are wanted, the address to ask again
 * (`Location`).
 */
export function respondGate(answer: GateAnswer, origin: string, request: GateRequest): Response {
  const { project, runs, uploadId, uploadName } = answer
  const warnings = [...(answer.notes ?? []), ...nameWarnings(uploadName, runs)]
  const verdict = answer.verdict ?? pending
  const { form, wait, strict, repeat } = request
  const status = statuses[verdict.result]
  const query = new URLSearchParams({
    format: form === 'markdown' ? 'md' : form,
    ...(wait > 1 ? { wait: `${wait}` } : {}),
    ...(strict ? { strict: '1' } : {}),
    ...(repeat > 0 ? { repeat: `auto:${repeat}` } : {}),
  })
  const address = `${origin}/api/v1/projects/${project.slug}/uploads/${uploadId}/gate`
  const asked = new URLSearchParams([...query].filter(([key]) => key !== 'format'))
  const again = asked.size > 0 ? `${address}?${asked}` : address
  const polled = status === 202 ? { location: `${address}?${query}`, 'retry-after': String(pollSeconds) } : {}
  const headers = {
    'cache-control': 'private, no-store',
    ...(verdict.result === 'repeat' ? { 'tailboard-repeat': String(verdict.missing) } : polled),
  }
  const links = runs.map((run) => ({
    name: [run.scenario, run.variant].filter((name) => name !== null).join(' · '),
    url: `${origin}/p/${project.slug}/runs/${run.id}`,
  }))
  const alerts = verdict.openAlerts.slice(0, maxOpenAlerts).map((alert) => ({
    name: alertTitle(alert),
    url: `${origin}/p/${project.slug}/alerts/${alert.id}`,
  }))
  const send = (type: string, body: string) =>
    new Response(body, { status, headers: { ...headers, 'content-type': `${type}; charset=utf-8` } })
  if (form === 'markdown') return send('text/markdown', gateMarkdown(verdict, links, alerts, warnings))
  if (form === 'text') {
    const urls = links.map(({ url }) => url).join('\n')
    const open = alerts.map(({ name, url }) => `# still open: ${name} ${url}\n`).join('')
    const notes = warnings.map((warning) => `# ${warning}\n`).join('')
    return send('text/plain', `${gateText(verdict)}\n\n${urls}\n${open}${notes}# ask again: ${again}\n`)
  }
  const rows = verdict.rows.map(rowOf)
  const { result, missing } = verdict
  const failedImport = verdict.failedImport && {
    rule: askedBy(verdict.failedImport.rule),
    message: verdict.failedImport.message,
    excuse: verdict.failedImport.excuse,
  }
  const body: Verdict = {
    result,
    sentence: gateSentence(verdict),
    missing,
    rows,
    refused: verdict.refused,
    failedImport,
    openAlerts: alerts,
    warnings,
    runs: links,
    url: again,
  }
  return send('application/json', JSON.stringify(body))
}

const askedBy = ({ id, settings }: Rule) => ({ id, kind: settings.kind, words: ruleWords(settings) })

/** A row for programs; levels, values and limits in `unit`. */
function rowOf(row: GateRow): VerdictRow {
  const { profile, metric, verdict, runs, rule, excuse } = row
  const { id, scenario, variant, environment } = profile.series
  const names = { seriesId: id, scenario, variant, environment, profile: profile.name }
  const about = { ...names, metric: metric.id, unit: metric.unit, verdict, excuse, fails: failsBuild(row), runs }
  const asked = askedBy(rule)
  if (row.kind === 'change-point') return { ...about, rule: asked, kind: row.kind, reason: row.reason, ...row.judged }
  const { kind, value, expected, side, broken, confirmRuns } = row
  const held = { ...about, rule: asked, value, side, broken, confirmRuns }
  return kind === 'limit'
    ? { ...held, kind, limit: expected, missedBy: missedByRow(row) }
    : { ...held, kind, baseline: expected, refused: row.refused }
}
