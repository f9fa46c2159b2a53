/**
 * Locust's JSON (`--json`), as https://github.com/locustio/locust/blob/2.42.0/locust/stats.py (StatsEntry.serialize) writes it:
 * a list with an entry for each name and method. Times are rounded (see locust-run); min, max and the sum are exact.
 *
 *     [{"name":"/api/flaky","method":"GET","last_request_timestamp":1795311228.56,"start_time":1795311224.76,
 *     "num_requests":174,"num_none_requests":0,"num_failures":0,"total_response_time":799.13,"max_response_time":23.5,…
 */
import * as z from 'zod'
import { ImportError } from '../../lib/errors'
import type { ImportProblem, Target } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { truncatedProblem, problemOf } from '../import-problem'
import { isoOf } from '../text/iso-time'
import { readJsonDocuments, refuseDocument } from '../text/json-documents'
import { decodeHead } from '../text/text-head'
import { bucketsOf, describeLocust, quantileOf, selectTargets, type RoundedTimes } from './locust-run'

/** Reads Locust's JSON, with the lines of its log before it. */
export const locustJson: RawImporter = {
  kind: 'raw',
  id: 'locust-json',
  isJsonReport: true,
  detect: (head) => {
    const text = decodeHead(head, 65_536)
    return /^\s*\[/.test(text) && /"num_none_requests"\s*:/.test(text) && /"num_requests"\s*:/.test(text)
  },
  stored: (bytes) => bytes,
  read: readLocustJson,
}

const hint = 'Upload the whole output of "locust --json".'
const form = { name: "Locust's JSON", hint, telling: /"num_none_requests"\s*:/ }

async function* readLocustJson(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  const { documents, problems, isTruncated } = await readJsonDocuments(bytes, form)
  const refusals: ImportError[] = []
  let found = 0
  for (const document of documents) {
    const { line } = document
    const { data, error } = z.array(entrySchema).safeParse(document.value)
    if (data === undefined) refusals.push(...refuseDocument(form, document, error))
    const entries = data?.filter((entry) => entry.num_requests > 0) ?? []
    if (entries.length === 0) continue
    found++
    yield { ...createRun(entries), lines: [line, line] }
  }
  const [refusal] = refusals
  if (found === 0) throw refusal ?? new ImportError('empty', "Locust's list contains no requests", { line: 1, hint })
  yield* [...problems, ...refusals.map((one) => problemOf(one))]
  if (isTruncated) yield truncatedProblem(null, "Locust's last list is truncated")
}

const entrySchema = z.object({
  name: z.string(),
  method: z.string().nullish(),
  last_request_timestamp: z.number().nullish(),
  start_time: z.number().nullish(),
  num_requests: z.number().int().nonnegative(),
  num_none_requests: z.number().int().nonnegative(),
  num_failures: z.number().int().nonnegative(),
  total_response_time: z.number().nonnegative(),
  max_response_time: z.number().nonnegative(),
  min_response_time: z.number().nonnegative().nullish(),
  total_content_length: z.number().nonnegative(),
  response_times: z.record(z.string(), z.number().int().nonnegative()),
})
type Entry = z.infer<typeof entrySchema>

const percents = [50, 75, 90, 95, 99, 99.9]

const sumOf = (entries: readonly Entry[], of: (entry: Entry) => number) =>
  entries.reduce((sum, entry) => sum + of(entry), 0)

function createRun(entries: readonly Entry[]): BlockRun {
  const requests = sumOf(entries, (entry) => entry.num_requests)
  const timed = requests - sumOf(entries, (entry) => entry.num_none_requests)
  const failures = sumOf(entries, (entry) => entry.num_failures)
  const starts = entries.flatMap(({ start_time: at }) => at ?? [])
  const ends = entries.flatMap(({ last_request_timestamp: at }) => at ?? [])
  const mins = entries.flatMap(({ min_response_time: ms }) => ms ?? [])
  const first = starts.length === 0 ? null : Math.min(...starts)
  const spanMs = first === null || ends.length === 0 ? null : (Math.max(...ends) - first) * 1e3
  const times = timesOf(entries)
  const counted = times.reduce((sum, [, count]) => sum + count, 0)
  const [only] = entries.length === 1 ? entries : []
  return {
    ...blankRun('locust', 'locust-json'),
    name: only?.name ?? null,
    startedAt: first === null ? null : isoOf(first * 1e3),
    durationMs: spanMs !== null && spanMs > 0 ? spanMs : null,
    requests,
    successes: requests - failures,
    successRatio: requests > 0 ? (requests - failures) / requests : null,
    requestsPerSecond: spanMs !== null && spanMs > 0 ? requests / (spanMs / 1e3) : null,
    bytesIn: sumOf(entries, (entry) => entry.total_content_length),
    latencies: describeLocust({
      requests: timed,
      minMs: mins.length === 0 ? null : Math.min(...mins),
      meanMs: timed > 0 ? sumOf(entries, (entry) => entry.total_response_time) / timed : null,
      maxMs: Math.max(...entries.map((entry) => entry.max_response_time)),
      quantiles:
        counted === 0
          ? []
          : percents.map((percent) => ({ q: Number(`${percent}e-2`), ms: quantileOf(times, counted, percent / 100) })),
      histogram: counted === timed && counted > 0 ? bucketsOf(times) : null,
    }),
    ...selectTargets(entries.map(targetOf)),
  }
}

/** All entries together, rising. */
function timesOf(entries: readonly Entry[]): RoundedTimes {
  const counts = new Map<number, number>()
  for (const { response_times: times } of entries)
    for (const [ms, count] of Object.entries(times))
      if (/^\d{1,12}(?:\.\d{1,12})?$/.test(ms) && count > 0)
        counts.set(Number(ms), (counts.get(Number(ms)) ?? 0) + count)
  return [...counts].sort(([a], [b]) => a - b)
}

function targetOf(entry: Entry): Target {
  const times = timesOf([entry])
  const timed = entry.num_requests - entry.num_none_requests
  const counted = times.reduce((sum, [, count]) => sum + count, 0)
  return {
    method: entry.method ?? null,
    url: entry.name,
    count: entry.num_requests,
    errors: entry.num_failures,
    bytesIn: entry.total_content_length,
    meanMs: timed > 0 ? entry.total_response_time / timed : 0,
    p50Ms: quantileOf(times, counted, 0.5),
    p95Ms: quantileOf(times, counted, 0.95),
    p99Ms: quantileOf(times, counted, 0.99),
    maxMs: entry.max_response_time,
  }
}
