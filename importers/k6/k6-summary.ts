/**
 * k6's summaries as JSON: `--summary-export`, what a script's handleSummary writes of its data, and the machine-readable one
 * of 1.x (https://github.com/grafana/k6/blob/v1.8.1/internal/js/summary.js, internal/output/summary). Milliseconds as full
 * doubles. http_req_failed is a rate of "true": its passes, or matches, are the requests that failed.
 *
 *     {"metrics":{"http_req_failed":{"passes":4,"fails":371,"value":0.0106},"http_reqs":{"count":375,"rate":123.9},…
 *     {"metrics":{"http_reqs":{"type":"counter","contains":"default","values":{"count":365,"rate":121.2}},…},"state":…
 *     {"config":{"duration":3.0147,"execution":"local","script":"…"},"results":{"metrics":[{"name":"http_reqs",…
 */
import * as z from 'zod'
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { truncatedProblem, problemOf } from '../import-problem'
import { readJsonDocuments, refuseDocument } from '../text/json-documents'
import { decodeHead } from '../text/text-head'
import { createK6Run, type K6Trend } from './k6-figures'
import { phaseNames } from './k6-rows'
import { withoutScript } from './k6-script'

/** Reads the three JSON summaries of k6. */
export const k6Summary: RawImporter = {
  kind: 'raw',
  id: 'k6-summary',
  isJsonReport: true,
  detect: (head) => {
    const text = decodeHead(head, 65_536)
    if (!/^\s*\{/.test(text)) return false
    if (/^\s*\{\s*"config"\s*:\s*\{/.test(text)) return /"execution"\s*:/.test(text) && text.includes('k6')
    return /"metrics"\s*:\s*\{/.test(text) && ownMetric.test(text)
  },
  stored: withoutScript,
  read: readK6Summary,
}

const ownMetric = /"(?:http_req_\w{1,30}|http_reqs|iteration_duration|data_sent)"\s*:\s*\{/

const hint = 'Upload the whole file that k6 wrote.'
const form = { name: "k6's JSON", hint, telling: /"(?:metrics|http_reqs)"\s*:/ }

async function* readK6Summary(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  const { documents, problems, isTruncated } = await readJsonDocuments(bytes, form)
  const refusals: ImportError[] = []
  let found = 0
  let isEmpty = false
  for (const document of documents) {
    const { value, line } = document
    const summary = read(value)
    if (summary === null) {
      const { error } = ('results' in Object(value) ? listedSchema : namedSchema).safeParse(value)
      if (error !== undefined) refusals.push(...refuseDocument(form, document, error))
      continue
    }
    if (!summary.metrics.has('http_reqs')) {
      isEmpty = true
      continue
    }
    found++
    yield { ...createRun(summary), lines: [line, line] }
  }
  const [refusal] = refusals
  if (found === 0)
    throw isEmpty
      ? new ImportError('empty', 'k6 sent no HTTP request in this run', {
          line: 1,
          hint: 'Upload a run that sends some.',
        })
      : (refusal ?? new ImportError('malformed', 'this is not a complete k6 summary', { line: 1, hint }))
  yield* [...problems, ...refusals.map((one) => problemOf(one))]
  if (isTruncated) yield truncatedProblem(null, 'the last k6 summary is truncated')
}

/** Other members are words. A number that became a text would be missing without notice. */
function refuseTexts(values: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const [key, value] of Object.entries(values))
    if (typeof value === 'string' && /^-?\d[\d.,]{0,30}$/.test(value))
      context.addIssue({ code: 'custom', path: [key], message: 'a text' })
}

const numbers = z
  .record(z.string(), z.unknown())
  .superRefine(refuseTexts)
  .transform((values) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => (typeof value === 'number' ? [[key, value] as const] : [])),
    ),
  )
/** `--summary-export`: true means crossed. handleSummary: ok false does. */
const thresholds = z.record(z.string(), z.union([z.boolean(), z.looseObject({ ok: z.boolean() })])).optional()

const namedSchema = z.object({
  metrics: z.record(z.string(), z.looseObject({ values: numbers.optional(), thresholds }).superRefine(refuseTexts)),
  state: z.looseObject({ testRunDurationMs: z.number().optional() }).optional(),
})
const listedSchema = z.object({
  config: z.looseObject({ duration: z.number().optional() }),
  metadata: z.looseObject({ k6_version: z.string().optional() }).optional(),
  results: z.object({
    metrics: z.array(z.looseObject({ name: z.string(), values: numbers })),
    checks: z
      .looseObject({ metrics: z.array(z.looseObject({ name: z.string(), values: numbers })).optional() })
      .optional(),
  }),
})

type Values = Readonly<Record<string, number>>

interface Summary {
  readonly metrics: ReadonlyMap<string, Values>
  readonly crossed: readonly string[]
  readonly durationMs: number | null
  readonly toolVersion: string | null
}

/** Null: none of the three. */
function read(value: unknown): Summary | null {
  const listed = listedSchema.safeParse(value).data
  if (listed !== undefined) {
    const { config, metadata, results } = listed
    const all = [...results.metrics, ...(results.checks?.metrics ?? [])]
    return {
      metrics: new Map(all.map(({ name, values }) => [name, values])),
      crossed: [],
      durationMs: config.duration === undefined ? null : config.duration * 1e3,
      toolVersion: metadata?.k6_version ?? null,
    }
  }
  const named = namedSchema.safeParse(value).data
  if (named === undefined) return null
  const metrics = Object.entries(named.metrics)
  return {
    metrics: new Map(metrics.map(([name, metric]) => [name, metric.values ?? numbers.parse(metric)])),
    crossed: metrics.flatMap(([name, metric]) =>
      Object.entries(metric.thresholds ?? {}).flatMap(([expression, state]) =>
        (typeof state === 'boolean' ? state : !state.ok) ? [`${name}: ${expression}`] : [],
      ),
    ),
    durationMs: named.state?.testRunDurationMs ?? null,
    toolVersion: null,
  }
}

function createRun({ metrics, crossed, durationMs, toolVersion }: Summary): BlockRun {
  const valueOf = (name: string, ...keys: readonly string[]): number | null => {
    const values = metrics.get(name)
    return keys.map((key) => values?.[key]).find((value) => value !== undefined) ?? null
  }
  const printed: Record<string, string> = {}
  const keep = (field: string, value: number | null, unit = '') => {
    if (value !== null) printed[field] = `${value}${unit}`
    return value
  }
  const all = trendOf(metrics.get('http_req_duration'))
  for (const { q, ms } of all?.quantiles ?? []) keep(`latencies.0.p${Number((q * 100).toPrecision(12))}`, ms, ' ms')
  for (const field of ['minMs', 'meanMs', 'maxMs'] as const) keep(`latencies.0.${field}`, all?.[field] ?? null, ' ms')
  const passes = valueOf('checks', 'passes') ?? valueOf('checks_succeeded', 'matches')
  const fails = valueOf('checks', 'fails') ?? valueOf('checks_failed', 'matches')
  return createK6Run({
    form: 'k6-summary',
    toolVersion,
    name: null,
    load: { kind: 'unstated' },
    durationMs: keep('durationMs', durationMs, ' ms'),
    requests: keep('requests', valueOf('http_reqs', 'count')),
    requestsPerSecond: keep('requestsPerSecond', valueOf('http_reqs', 'rate')),
    failed: valueOf('http_req_failed', 'passes', 'matches'),
    bytesIn: keep('bytesIn', valueOf('data_received', 'count')),
    bytesOut: keep('bytesOut', valueOf('data_sent', 'count')),
    all,
    good: trendOf(metrics.get('http_req_duration{expected_response:true}')),
    phases: Object.fromEntries(
      phaseNames.flatMap((name) => {
        const trend = trendOf(metrics.get(`http_req_${name}`))
        return trend === null ? [] : [[name, trend] as const]
      }),
    ),
    iterations: valueOf('iterations', 'count'),
    droppedIterations: valueOf('dropped_iterations', 'count'),
    checks: passes === null || fails === null ? null : { passes, fails },
    maxUsers: valueOf('vus', 'max'),
    crossed,
    printed,
    complete: true,
  })
}

function trendOf(values: Values | undefined): K6Trend | null {
  if (values === undefined) return null
  const quantiles = new Map<number, number>()
  if (values['med'] !== undefined) quantiles.set(0.5, values['med'])
  for (const [key, ms] of Object.entries(values)) {
    const [, bracketed, plain] = /^p(?:\((\d{1,3}(?:\.\d{1,6})?)\)|(\d{1,3}(?:\.\d{1,6})?))$/.exec(key) ?? []
    const percent = bracketed ?? plain
    if (percent !== undefined && Number(percent) <= 100) quantiles.set(Number(`${percent}e-2`), ms)
  }
  return {
    minMs: values['min'] ?? null,
    meanMs: values['avg'] ?? null,
    maxMs: values['max'] ?? null,
    quantiles: [...quantiles].map(([q, ms]) => ({ q, ms })).sort((a, b) => a.q - b.q),
  }
}
