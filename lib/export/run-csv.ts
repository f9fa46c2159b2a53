import type { CsvCell } from './csv'
import { leadingLatency } from '../run/figures'
import { quantilePoints } from '../stats/histogram'
import { quantileName } from '../stats/quantile'
import type { ImportedRun, Latency } from '../run/run'

type Rows = readonly (readonly CsvCell[])[]

/**
 * Each distribution's figures, one per row: as printed or counted (`exact` yes), then those read from the recorded
 * histogram, which are within 0.1 %. Milliseconds.
 */
export function percentileRows(run: Pick<ImportedRun, 'latencies'>): Rows {
  return [['requests_of', 'percentile', 'q', 'ms', 'exact'], ...run.latencies.flatMap(rowsOfLatency)]
}

function rowsOfLatency(latency: Latency): Rows {
  const known = new Set([0, ...latency.quantiles.map(({ q }) => q)])
  const isExact = (q: number) =>
    latency.histogram?.kind !== 'hdr' || (q === 0 && latency.minMs !== null) || known.has(q)
  const points = quantilePoints(latency).filter(({ q }) => q < 1 && (q > 0 || latency.minMs === null))
  return [
    ...(latency.minMs === null ? [] : [[latency.of, 'min', 0, latency.minMs, 'yes'] as const]),
    ...points.map(
      ({ q, ms }) =>
        [
          latency.of,
          quantileName(q),
          q,
          isExact(q) ? ms : Number(ms.toPrecision(9)),
          isExact(q) ? 'yes' : 'no',
        ] as const,
    ),
    ...(latency.maxMs === null ? [] : [[latency.of, 'max', 1, latency.maxMs, 'yes'] as const]),
  ]
}

/** The run over time, one bin per row; empty cells are gaps. Null: no raw results. */
export function timelineRows({ timeline }: Pick<ImportedRun, 'timeline'>): Rows | null {
  if (timeline === null) return null
  const { startedAt, binMs, requests, errors, p50Ms, p90Ms, p95Ms, p99Ms, maxMs } = timeline
  const firstMs = startedAt === null ? null : Date.parse(startedAt)
  return [
    ['at', 'from_ms', 'bin_ms', 'requests', 'errors', 'p50_ms', 'p90_ms', 'p95_ms', 'p99_ms', 'max_ms'],
    ...requests.map((count, bin) => [
      firstMs === null ? null : new Date(firstMs + bin * binMs).toISOString(),
      bin * binMs,
      binMs,
      count,
      errors[bin] ?? null,
      ...[p50Ms, p90Ms, p95Ms, p99Ms, maxMs].map((column) => column[bin] ?? null),
    ]),
  ]
}

/** The addresses, most frequent first; a last row with an empty `url` holds the rest, if any. Null: not stated. */
export function targetRows({ targets }: Pick<ImportedRun, 'targets'>): Rows | null {
  if (targets === null) return null
  return [
    ['method', 'url', 'requests', 'errors', 'bytes_in', 'mean_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'max_ms'],
    ...targets.map((one) => [
      one.method,
      one.url,
      one.count,
      one.errors,
      one.bytesIn,
      one.meanMs,
      one.p50Ms,
      one.p95Ms,
      one.p99Ms,
      one.maxMs,
    ]),
  ]
}

/** The distribution of this name; null: the run has none. Without a name, the leading one. */
export function findLatency(run: Pick<ImportedRun, 'latencies'>, of: string | null): Latency | null {
  return of === null ? leadingLatency(run) : (run.latencies.find((latency) => latency.of === of) ?? null)
}
