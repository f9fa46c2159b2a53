import { z } from 'zod'
import type { FieldSummary, ImportedRun, Latency } from '../../lib/run/run'
import { Differences } from './differences'

const summary = z.object({
  count: z.number(),
  min: z.number(),
  max: z.number(),
  sum: z.number(),
  mean: z.number(),
  p50: z.number().optional(),
  p75: z.number().optional(),
  p90: z.number().optional(),
  p95: z.number().optional(),
  p99: z.number().optional(),
  p999: z.number().optional(),
})

const quantileKeys = [
  ['p50', 0.5],
  ['p75', 0.75],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p99', 0.99],
  ['p999', 0.999],
] as const
const counts = z.record(z.string(), z.number())

/** All REPORT lines in a log as an independent reader found them. */
export const lambdaTruth = z.object({
  reports: z.number(),
  duration_ns: summary,
  billed_duration_ms: z.object({ sum: z.number(), min: z.number(), max: z.number() }),
  memory_size_mb: counts,
  max_memory_used_mb: z.object({ min: z.number(), max: z.number() }),
  cold_starts: z.number(),
  init_duration_ns: summary.nullable(),
  restores: z.number(),
  restore_duration_ns: summary.nullable(),
  billed_restore_duration_ms_sum: z.number(),
  /** `not_in_report`: the log is older than the Status field. */
  status: counts,
  task_timed_out_lines: z.number().optional(),
  error_types: counts,
})

/** One row of an author's table. */
export const lambdaRowTruth = z.object({
  name: z.string(),
  duration_ns: z.number(),
  billed_duration_ms: z.number(),
  max_memory_used_mb: z.number(),
  init_duration_ns: z.number().nullable(),
})

/** A table: each row is a run. */
export const lambdaTableTruth = z.object({ rows: z.array(lambdaRowTruth) })

/** Where a run differs from the truth about a Lambda log; empty if it does not. */
export function compareLambdaRun(run: ImportedRun, truth: z.infer<typeof lambdaTruth>): string[] {
  const differences = new Differences()
  const { lambda } = run
  differences.equal('tool', run.tool, 'lambda')
  differences.equal('complete', run.complete, true)
  differences.equal('load', run.load, { kind: 'observed' })
  differences.equal('requests', run.requests, truth.reports)
  differences.equal('invocations', lambda?.invocations, truth.reports)
  compareLatency(differences, run.latencies[0], truth.duration_ns)
  differences.equal('billed sum', lambda?.billedMs?.sum, truth.billed_duration_ms.sum)
  differences.equal('billed min', lambda?.billedMs?.min, truth.billed_duration_ms.min)
  differences.equal('billed max', lambda?.billedMs?.max, truth.billed_duration_ms.max)
  differences.equal('memorySizeMb', lambda?.memorySizeMb, truth.memory_size_mb)
  differences.equal('memory min', lambda?.maxMemoryUsedMb?.min, truth.max_memory_used_mb.min)
  differences.equal('memory max', lambda?.maxMemoryUsedMb?.max, truth.max_memory_used_mb.max)
  differences.equal('coldStarts', lambda?.coldStarts, truth.cold_starts)
  compareField(differences, 'init', lambda?.initMs ?? null, truth.init_duration_ns)
  differences.equal('restores', lambda?.restoreMs?.count ?? 0, truth.restores)
  compareField(differences, 'restore', lambda?.restoreMs ?? null, truth.restore_duration_ns)
  differences.equal('billed restore', lambda?.billedRestoreMs?.sum ?? 0, truth.billed_restore_duration_ms_sum)
  differences.equal('errorTypes', lambda?.errorTypes, truth.error_types)
  const timeouts = truth.task_timed_out_lines ?? 0
  const statuses = truth.status['not_in_report']
    ? { success: truth.reports - timeouts, ...(timeouts > 0 ? { timeout: timeouts } : {}) }
    : truth.status
  differences.equal('statuses', lambda?.statuses, statuses)
  differences.equal('successes', run.successes, statuses['success'] ?? 0)
  return differences.list
}

function compareLatency(
  differences: Differences,
  latency: Latency | undefined,
  truth: z.infer<typeof lambdaTruth>['duration_ns'],
): void {
  differences.equal('of', latency?.of, 'all')
  differences.equal('count', latency?.count, truth.count)
  differences.equal('minMs', latency?.minMs, truth.min / 1e6)
  differences.equal('maxMs', latency?.maxMs, truth.max / 1e6)
  differences.printed('meanMs', latency?.meanMs, truth.mean / 1e6)
  for (const [key, q] of quantileKeys) {
    const ns = truth[key]
    const found = latency?.quantiles.find((quantile) => quantile.q === q)?.ms
    if (ns !== undefined) differences.equal(key, found, ns / 1e6)
  }
}

function compareField(
  differences: Differences,
  name: string,
  field: FieldSummary | null,
  truth: z.infer<typeof summary> | null,
): void {
  if (truth === null || field === null) return differences.equal(name, field, truth)
  differences.equal(`${name} count`, field.count, truth.count)
  differences.equal(`${name} sum`, field.sum, truth.sum / 1e6)
  differences.equal(`${name} min`, field.min, truth.min / 1e6)
  differences.equal(`${name} max`, field.max, truth.max / 1e6)
  differences.printed(`${name} mean`, field.mean, truth.mean / 1e6)
}

/** Where a run differs from the table row that it was read from; empty if it does not. */
export function compareLambdaRow(run: ImportedRun, truth: z.infer<typeof lambdaRowTruth>): string[] {
  const differences = new Differences()
  const initMs = truth.init_duration_ns === null ? null : truth.init_duration_ns / 1e6
  differences.equal('tool', run.tool, 'lambda')
  differences.equal('function', run.lambda?.functionName, truth.name)
  differences.printed('meanMs', run.latencies[0]?.meanMs, truth.duration_ns / 1e6)
  differences.equal('quantiles', run.latencies[0]?.quantiles, [])
  differences.equal('billed', run.lambda?.billedMs?.mean, truth.billed_duration_ms)
  differences.equal('memory', run.lambda?.maxMemoryUsedMb?.max, truth.max_memory_used_mb)
  differences.printed('init', run.lambda?.initMs?.mean, initMs)
  return differences.list
}
