import type { FieldSummary, ImportedRun, Latency, LatencyBucket, Target, Timeline } from '@/lib/run/run'
import { sampleLatency, sampleRun } from '../queries/samples'

/** Array lengths, and a fifth of the characters of a text, that no honest run has. */
const hugeCount = 300_000
/** Entries of a list. */
const manyCount = 60_000

const each = <Item>(make: (index: number) => Item, count = manyCount): readonly Item[] =>
  Array.from({ length: count }, (_, index) => make(index))
const counts = (name: (index: number) => string): Readonly<Record<string, number>> =>
  Object.fromEntries(each((index) => [name(index), 1 + (index % 7)]))
const strings = (what: string): Readonly<Record<string, string>> =>
  Object.fromEntries(each((index) => [`${what}-${index}`, `value ${index}`]))
const longText = 'never '.repeat(hugeCount / 6) + '"<&\u{1f600}'.repeat(hugeCount / 5)
const column = each((index) => 1 + (index % 90), hugeCount)

/** Buckets of 10 µs starting at 0, the last one open. */
export const hugeBuckets: readonly LatencyBucket[] = each(
  (index) => ({
    lowerMs: index / 100,
    upperMs: index === hugeCount - 1 ? null : (index + 1) / 100,
    count: index % 3,
  }),
  hugeCount,
)

const summary: FieldSummary = {
  count: hugeCount,
  sum: hugeCount,
  min: 1,
  mean: 1,
  max: 2,
  quantiles: each((index) => ({ q: index / hugeCount, value: 1 + index })),
}

const target = (index: number): Target => ({
  method: 'GET',
  url: `http://127.0.0.1/${index}`,
  count: index,
  errors: 0,
  bytesIn: 0,
  meanMs: 1,
  p50Ms: 1,
  p95Ms: 1,
  p99Ms: 1,
  maxMs: 1,
})

/** One second per interval: three and a half days. */
export const hugeTimeline: Timeline = {
  startedAt: '2026-11-21T02:00:00.000Z',
  binMs: 1_000,
  requests: column,
  errors: column.map((count) => Math.floor(count / 10)),
  p50Ms: column,
  p90Ms: column,
  p95Ms: column,
  p99Ms: column,
  maxMs: column,
  heat: { binMs: 1_000, lowerMs: [0, 1, 2], counts: [column, column, column] },
  warmUp: null,
}

type Fields = Partial<ImportedRun>
const texts = (field: keyof ImportedRun): Fields => ({ [field]: longText })
const latencies = (fields: Partial<Latency>): Fields => ({
  latencies: [sampleLatency({ ...fields, count: null, minMs: null, maxMs: null })],
})
const { context, proposal } = sampleRun()

/**
 * Each field of a run as large as a file can make it, by what is large; empty for fields that are one number or word. A
 * new field of a run does not compile until it is added here.
 */
export const hugeFields = {
  tool: {},
  form: { text: () => texts('form') },
  toolVersion: { text: () => texts('toolVersion') },
  command: { text: () => texts('command') },
  url: { text: () => texts('url') },
  method: { text: () => texts('method') },
  startedAt: {},
  durationMs: {},
  attackMs: {},
  waitMs: {},
  load: {},
  requests: {},
  successes: {},
  successRatio: {},
  requestsPerSecond: {},
  throughputPerSecond: {},
  bytesIn: {},
  bytesOut: {},
  statusCodes: { codes: () => ({ statusCodes: { 200: 5, ...counts((index) => `${1_000 + index}`) } }) },
  errors: {
    messages: () => ({ errors: each((index) => ({ message: `error ${index}`, count: 1 })) }),
    'long messages': () => ({ errors: each((index) => ({ message: `${index} ${'<"&'.repeat(100)}`, count: 1 })) }),
  },
  latencies: {
    buckets: () =>
      latencies({
        quantiles: [],
        origin: 'buckets',
        method: 'buckets',
        histogram: { kind: 'buckets', inclusive: 'lower', buckets: hugeBuckets },
      }),
    percentiles: () => latencies({ quantiles: each((index) => ({ q: index / hugeCount, ms: 1 + index / 100 })) }),
    distributions: () => ({ latencies: each(() => sampleLatency()) }),
  },
  phases: { phases: () => ({ phases: each((index) => ({ name: `phase ${index}`, meanMs: 1, minMs: 1, maxMs: 1 })) }) },
  timeline: {
    intervals: () => ({ timeline: hugeTimeline }),
    bands: () => ({
      timeline: {
        ...hugeTimeline,
        ...{ requests: [1], errors: [0], p50Ms: [1], p90Ms: [1], p95Ms: [1], p99Ms: [1], maxMs: [1] },
        heat: { binMs: 1_000, lowerMs: each((index) => index), counts: each(() => [1]) },
      },
    }),
  },
  lambda: {
    everything: () => ({
      tool: 'lambda',
      lambda: {
        functionName: longText,
        invocations: hugeCount,
        billedMs: summary,
        initMs: summary,
        restoreMs: null,
        billedRestoreMs: null,
        maxMemoryUsedMb: summary,
        coldMs: summary,
        warmMs: summary,
        memorySizeMb: counts((index) => `${index}`),
        coldStarts: 5,
        statuses: counts((index) => `status-${index}`),
        errorTypes: counts((index) => `Error${index}`),
        logStreams: hugeCount,
      },
    }),
  },
  targets: { addresses: () => ({ targets: each(target) }) },
  measures: {
    figures: () => ({ measures: each((index) => ({ name: `m${index}`, value: index, unit: 'ms', line: 1 })) }),
  },
  complete: {},
  printed: {
    fields: () => ({ printed: Object.fromEntries(each((index) => [`latencies.0.p${index}`, `${index}ms`])) }),
    text: () => ({ printed: { requestsPerSecond: longText } }),
  },
  context: {
    headings: () => ({ context: { ...context, headings: each((index) => `heading ${index}`) } }),
    facts: () => ({
      context: {
        ...context,
        facts: each((index) => ({ kind: 'measure', key: `fact-${index}`, value: `${index}`, line: 1 }) as const),
      },
    }),
    notes: () => ({ context: { ...context, notes: each((index) => ({ text: `note ${index}`, line: 1 })) } }),
    texts: () => ({ context: { ...context, file: longText, notes: [{ text: longText, line: 1 }] } }),
  },
  proposal: {
    names: () => ({
      proposal: { ...proposal, environmentAttributes: strings('at'), labels: strings('label'), sources: strings('of') },
    }),
    texts: () => ({ proposal: { ...proposal, scenario: longText, variant: longText, environment: longText } }),
  },
  warnings: {
    warnings: () => ({ warnings: each((index) => ({ code: 'odd', message: `warning ${index}`, line: index })) }),
    numbers: () => ({
      warnings: [{ code: 'odd', message: longText, line: 1, numbers: counts((index) => `n${index}`) }],
    }),
  },
} satisfies Readonly<Record<keyof ImportedRun, Readonly<Record<string, () => Fields>>>>

const ways: readonly (readonly [name: string, make: () => Fields])[] = Object.entries(hugeFields).flatMap(
  ([field, ofField]: [string, Readonly<Record<string, () => Fields>>]) =>
    Object.entries(ofField).map(([way, make]) => [`${field}: ${way}`, make] as const),
)

/** One entry each: `latencies: buckets` and the run. */
export const hugeRuns: readonly (readonly [name: string, make: () => ImportedRun])[] = ways.map(([name, make]) => [
  name,
  () => sampleRun(make()),
])

/** All of them in one run, unless they replace each other. */
export const hugeRun = (): ImportedRun => {
  const fields: Fields = Object.assign({}, ...ways.map(([, make]) => make()))
  const first = hugeFields.latencies.buckets().latencies ?? []
  const second = hugeFields.latencies.percentiles().latencies ?? []
  return sampleRun({
    ...fields,
    tool: 'hey',
    timeline: hugeTimeline,
    latencies: [...first, ...second],
    ...hugeFields.errors['long messages'](),
  })
}
