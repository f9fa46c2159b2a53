import * as z from 'zod'
import { sensitivities } from '@/lib/levels/sensitivity'
import { whatMatters } from '@/lib/rules/what-matters'
import { ruleDirections } from '@/lib/rules/rules'
import { printable, type Terminal } from '../terminal'
import { readAnswer } from '../upload'
import type { Upload } from './send-round'

const watchSchema = z.object({
  kind: z.literal('change-point'),
  metricIds: z.array(z.string()),
  direction: z.enum(ruleDirections),
  leastEffectRatio: z.number().nullable(),
  confirmRuns: z.number(),
  sensitivity: z.enum(sensitivities),
})
const ruleSchema = z.object({
  ...{ id: z.string(), scenario: z.string().nullable(), seriesId: z.string().nullable(), isEnabled: z.boolean() },
  ...{ mutedUntil: z.string().nullable(), createdAt: z.string() },
  settings: z.union([watchSchema, z.object({ kind: z.literal('failed-import') })]).catch({ kind: 'failed-import' }),
})
const rulesSchema = z.object({ rules: z.array(ruleSchema) })

/** Without a project, or if its rules cannot be read. */
export const defaultMattersRatio = 0.02

/** The smallest change of a metric that matters in the project that runs are sent to; that of the metric if it is new. */
export async function mattersInProject(upload: Upload, metricId: string, terminal: Terminal): Promise<number> {
  const answer = await readAnswer(addressOf(upload, 'rules'), terminal)
  if (answer.kind === 'missing') return whatMatters([], metricId, upload.scenario)
  const known = rulesSchema.safeParse(answer.kind === 'read' ? answer.body : null)
  if (known.success) return whatMatters(known.data.rules, metricId, upload.scenario)
  const why = answer.kind === 'refused' ? answer.why : 'not as JSON'
  terminal.report(`${printable(`The rules of ${upload.project} could not be read (${why}): 2 % matters.`)}\n`)
  return defaultMattersRatio
}

const instrumentSchema = z.object({
  instrument: z.object({
    ...{ sentence: z.string(), notes: z.array(z.string()) },
    metrics: z.array(z.object({ metric: z.string(), words: z.string() })),
  }),
})

/** What the server knows of the environment that rounds ran on, as sentences without a full stop; empty: nothing. */
export async function environmentNotes(
  upload: Upload,
  metricId: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  if (upload.environment === null) return []
  const at = `environments/${encodeURIComponent(upload.environment)}`
  const answer = await readAnswer(addressOf(upload, at), terminal)
  const known = instrumentSchema.safeParse(answer.kind === 'read' ? answer.body : null)
  if (!known.success) return []
  const { sentence, notes, metrics } = known.data.instrument
  const shown = metrics.filter(({ metric }) => metric === metricId).map(({ words }) => `it shows ${words}`)
  return [`${upload.environment}: ${[sentence, ...shown].join('; ')}`, ...notes]
}

const addressOf = ({ to, project }: Upload, path: string): URL =>
  new URL(`/api/v1/projects/${encodeURIComponent(project)}/${path}`, to)
