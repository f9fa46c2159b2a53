import { leadingLatency } from '../run/figures'
import { tools } from '../run/tools'
import { formatBytes, formatCount, formatDuration } from '../format'
import { quantileMethods } from '../run/quantile-method'
import type { StoredRun } from '../history/stored-runs'
import { requestedLoadOf } from './requested-load'

/** Something other than the variant that is not the same in all compared runs. */
export interface Difference {
  readonly field: string
  /** One per run, in their order; null: unknown. */
  readonly values: readonly (string | null)[]
  /** Why it matters, as one sentence without a full stop. */
  readonly why: string
}

type Reader = (run: StoredRun) => string | null

/** A lower share of failures does not change the first two digits of a mean response's size. */
const rareRatio = 0.01

/** Inputs of a test only: its outcomes are in the table of figures. */
const fields: readonly {
  readonly field: string
  readonly why: string
  readonly read: Reader
  /** A run without a value differs from none. */
  readonly isOfKnown?: boolean
}[] = [
  { field: 'Tool', why: 'each tool measures and counts in its own way', read: (run) => run.tool },
  {
    field: 'Counts as failed',
    why: 'shares of failed requests are of different things',
    read: ({ tool }) => tools[tool].failures.rule,
  },
  {
    field: 'A latency spans',
    why: 'connecting, and requests that failed, are in the figures of one tool and not of another',
    read: ({ tool }) => tools[tool].latencies,
  },
  {
    field: 'Resolution',
    why: 'differences below it cannot be seen',
    read: ({ tool }) => tools[tool].resolution,
  },
  {
    field: 'Omission',
    why: 'what a tool does not send while it waits is in no figure of it',
    read: ({ tool }) => tools[tool].coordinatedOmission.words,
  },
  {
    field: 'Percentiles',
    why: 'different methods: the same 100 responses can have a p99 of 10 or of 1,000 ms',
    read: (run) => {
      const method = leadingLatency(run.imported)?.method
      return method === undefined ? null : quantileMethods[method]
    },
  },
  {
    field: 'Latencies of',
    why: 'fast failures and timeouts shift every figure that includes them',
    read: (run) => latencyWords[leadingLatency(run.imported)?.of ?? 'none'] ?? null,
  },
  {
    field: 'Loop',
    why: 'in a closed loop slow responses reduce the load, so latencies read lower than at a fixed rate',
    read: (run) => (run.load.kind === 'open' || run.load.kind === 'closed' ? `${run.load.kind} loop` : null),
  },
  {
    field: 'Target rate',
    why: 'latency depends on the offered load',
    read: (run) => (run.load.kind === 'open' && run.load.ratePerSecond !== null ? `${run.load.ratePerSecond}/s` : null),
  },
  {
    field: 'Connections',
    why: 'more requests in flight wait for each other',
    read: (run) =>
      run.load.kind === 'closed' && run.load.connections !== null ? formatCount(run.load.connections) : null,
  },
  {
    field: 'Requests',
    why: 'fewer requests resolve less of the tail',
    read: (run) => planOf(run).requests,
  },
  {
    field: 'Duration',
    why: 'short runs are affected more by warm-up, and see fewer rare events',
    read: (run) => planOf(run).duration,
  },
  {
    field: 'Bytes per response',
    why: 'larger responses take longer to create, compress and send',
    // Failures have other bodies, or none: their size is a result.
    read: ({ figures }) =>
      (figures.errorRatio ?? 0) < rareRatio ? perRequest(figures.bytesIn, figures.requests) : null,
    isOfKnown: true,
  },
  {
    field: 'Payload',
    why: 'larger requests take longer to send and to read',
    read: (run) => perRequest(run.figures.bytesOut, run.figures.requests),
  },
  { field: 'Environment', why: 'machines, regions and sizes differ in speed', read: (run) => run.environment },
  { field: 'URL', why: 'a different target', read: (run) => run.imported.url },
  { field: 'Method', why: 'a different request', read: (run) => run.imported.method },
]

const notFixed = 'not fixed'

/**
 * Which of requests and duration the test fixed; the other one is a result. For other loads both are what was observed.
 */
function planOf(run: StoredRun): { readonly requests: string | null; readonly duration: string | null } {
  const { requests, durationMs } = run.figures
  const seen = { requests: nearly(requests, formatCount), duration: nearly(durationMs, formatDuration) }
  const requested = requestedLoadOf(run.imported)
  switch (run.load.kind) {
    case 'observed':
    case 'unstated':
      return seen
    case 'open':
      return {
        requests: notFixed,
        duration: nearly(requested.durationMs ?? run.imported.attackMs ?? durationMs, formatDuration),
      }
    case 'closed':
      return requested.durationMs === null
        ? { requests: nearly(requested.requests ?? requests, formatCount), duration: notFixed }
        : { requests: notFixed, duration: nearly(requested.durationMs, formatDuration) }
  }
}

const latencyWords: Readonly<Record<string, string>> = {
  all: 'all requests',
  success: 'successes only',
  failure: 'failures only',
  recorded: 'all requests, corrected',
  uncorrected: 'all requests, uncorrected',
}

function perRequest(bytes: number | null, requests: number | null): string | null {
  return bytes !== null && bytes > 0 && requests ? nearly(bytes / requests, formatBytes) : null
}

/** Why an attribute or label of this name matters; the first match wins. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/region|zone|datacent(er|re)/i, 'a different region has a different network path'],
  [/memory|ram/i, 'memory limits what fits, and on Lambda also the CPU share'],
  [/instances|replicas|workers|concurrency|threads/i, 'more of them share the load, and cost more'],
  [/instance|machine|cpu|host|node/i, 'machines differ in speed'],
  [/arch/i, 'processors differ in speed'],
  [/protocol|http/i, 'HTTP/1.1, HTTP/2 and HTTP/3 share connections differently'],
  [/tls|cipher/i, 'encryption costs time, mostly for handshakes'],
  [/payload|size|bytes|message/i, 'larger messages take longer'],
  [/origin|latency|delay/i, 'time spent waiting for others is part of every response'],
  [/rate|rps|qps/i, 'latency depends on the offered load'],
  [/commit|branch|version|build|release/i, 'different code'],
  [/runtime|language|jdk|node|python/i, 'a different runtime'],
  [/gzip|zlib|compress|encoding/i, 'compression trades CPU time for bytes'],
]

function reasonOf(key: string, otherwise: string): string {
  return reasons.find(([pattern]) => pattern.test(key))?.[1] ?? otherwise
}

/** Rounded enough that runs of the same plan give the same text. */
function nearly(value: number | null, format: (value: number) => string): string | null {
  return value === null ? null : format(Number(value.toPrecision(2)))
}

/**
 * Differences between runs, known on at least two sides or on some only. Fields equal or unknown in all are left out.
 */
export function differencesOf(runs: readonly StoredRun[]): readonly Difference[] {
  const found: Difference[] = []
  const add = (field: string, why: string, values: readonly (string | null)[], isOfKnown = false) => {
    const compared = isOfKnown ? values.filter((value) => value !== null) : values
    if (new Set(compared).size > 1) found.push({ field, values, why })
  }
  for (const { field, why, read, isOfKnown } of fields) add(field, why, runs.map(read), isOfKnown)
  for (const key of keysOf(runs.map((run) => run.environmentAttributes))) {
    add(
      key,
      reasonOf(key, 'a setting of the environment'),
      runs.map((run) => run.environmentAttributes[key] ?? null),
    )
  }
  for (const key of keysOf(runs.map((run) => run.labels))) {
    if (namesTheRun(key, runs)) continue
    add(
      key,
      reasonOf(key, 'a label: may or may not matter'),
      runs.map((run) => run.labels[key] ?? null),
    )
  }
  return found
}

const runNaming =
  /^(?:(?:run|test|job|execution|build)[-_ ]?)?(?:id|uuid|number|timestamp|date|time)$|^(?:run|results?|report)(?:[-_ ](?:url|link|page|id))?$/i

/** Whether a label only identifies the run, like its number or its results page: no two runs share a value. */
function namesTheRun(key: string, runs: readonly StoredRun[]): boolean {
  const values = runs.flatMap((run) => run.labels[key] ?? [])
  return runNaming.test(key) && new Set(values).size === values.length
}

function keysOf(records: readonly Readonly<Record<string, string>>[]): readonly string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))].sort()
}

/** A longer list of values would go unread. */
const maxValues = 40

/** The values of two sides if they are short enough to stand beside the field; of repeats, each value once. */
export function shortPair(values: Difference['values']): readonly [string, string] | null {
  const [from, to, ...more] = [...new Set(values.map((value) => value ?? 'unknown'))]
  if (from === undefined || to === undefined || more.length > 0 || values[0] === null) return null
  return from.length + to.length <= 44 ? [from, to] : null
}

/** `Tool: hey / vegeta`: the values in the order of the runs; of many runs each value once. */
export function differenceWords({ field, values }: Difference): string {
  const words = values.map((value) => value ?? 'unknown')
  if (words.length <= maxValues) return `${field}: ${words.join(' / ')}`
  const kinds = [...new Set(words)]
  const more = kinds.length > maxValues ? ` / and ${kinds.length - maxValues} more` : ''
  return `${field}: ${kinds.slice(0, maxValues).join(' / ')}${more}`
}
