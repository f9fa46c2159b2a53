import { leadingLatency } from './figures'
import { formatBytes, formatCount, formatDuration } from './format'
import type { StoredRun } from './stored'

/** Something besides the variant that is not the same in all compared runs. */
export interface Difference {
  readonly field: string
  /** One per run, in their order; null: not known. */
  readonly values: readonly (string | null)[]
  /** Why it matters, one sentence without a full stop. */
  readonly why: string
}

type Reader = (run: StoredRun) => string | null

const fields: readonly {
  readonly field: string
  readonly why: string
  readonly read: Reader
  readonly loose?: boolean
}[] = [
  { field: 'Tool', why: 'each tool measures and counts in its own way', read: (run) => run.tool },
  {
    field: 'Percentiles',
    why: 'the same answers give different percentiles by different methods',
    read: (run) => leadingLatency(run.imported)?.method ?? null,
  },
  {
    field: 'Loop',
    why: 'in a closed loop slow answers slow the load down, so its latencies read lower than under a fixed rate',
    read: (run) => (run.load.kind === 'observed' ? null : `${run.load.kind} loop`),
  },
  {
    field: 'Target rate',
    why: 'latency depends on how much load is offered',
    read: (run) => (run.load.kind === 'open' && run.load.ratePerSecond !== null ? `${run.load.ratePerSecond}/s` : null),
  },
  {
    field: 'Connections',
    why: 'more requests under way wait for each other',
    read: (run) =>
      run.load.kind === 'closed' && run.load.connections !== null ? formatCount(run.load.connections) : null,
  },
  {
    field: 'Requests',
    why: 'fewer requests reach less far into the tail',
    read: (run) => nearly(run.figures.requests, formatCount),
  },
  {
    field: 'Duration',
    why: 'short runs see warm-up and rare events differently',
    read: (run) => nearly(run.figures.durationMs, formatDuration),
    loose: true,
  },
  {
    field: 'Bytes per request',
    why: 'other payloads take other times',
    read: (run) =>
      run.figures.bytesIn && run.figures.requests
        ? nearly(run.figures.bytesIn / run.figures.requests, formatBytes)
        : null,
  },
  { field: 'Environment', why: 'other machines, regions or sizes have other speeds', read: (run) => run.environment },
  { field: 'URL', why: 'another target was exercised', read: (run) => run.imported.url },
  { field: 'Method', why: 'another request was sent', read: (run) => run.imported.method },
]

/** Rounded so far that runs of the same plan read the same. */
function nearly(value: number | null, format: (value: number) => string): string | null {
  return value === null ? null : format(Number(value.toPrecision(2)))
}

/** What differs between runs, known on two sides at least or on some only. Fields that are equal or unknown in all are left out. */
export function differencesOf(runs: readonly StoredRun[]): readonly Difference[] {
  const found: Difference[] = []
  const add = (field: string, why: string, values: readonly (string | null)[]) => {
    if (new Set(values).size > 1) found.push({ field, values, why })
  }
  for (const { field, why, read } of fields) add(field, why, runs.map(read))
  for (const key of keysOf(runs.map((run) => run.environmentAttributes))) {
    add(
      key,
      'a setting of the environment',
      runs.map((run) => run.environmentAttributes[key] ?? null),
    )
  }
  for (const key of keysOf(runs.map((run) => run.labels))) {
    add(
      key,
      'a label',
      runs.map((run) => run.labels[key] ?? null),
    )
  }
  return found
}

function keysOf(records: readonly Readonly<Record<string, string>>[]): readonly string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))].sort()
}
