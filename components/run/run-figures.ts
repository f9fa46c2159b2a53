import { missingReason } from '@/lib/judge/comparison'
import { leadingLatency } from '@/lib/run/figures'
import { formatMetric } from '@/lib/format'
import { findMetric, metrics, type Metric } from '@/lib/run/metrics'
import type { ImportedRun } from '@/lib/run/run'
import type { StoredRun } from '@/lib/run/stored'
import { tools } from '@/lib/run/tools'

/** A figure of a run as its page shows it. */
export interface ShownFigure {
  readonly id: string
  readonly label: string
  /** With unit; – when missing. */
  readonly text: string
  /** As the tool printed it; null when it was computed or is missing. */
  readonly printed: string | null
  /** What it is. */
  readonly explain: string
  /** On hover: as printed, or unrounded, or why there is none. */
  readonly title: string
}

const printedKeys: Readonly<Record<string, string>> = {
  'requests-per-second': 'requestsPerSecond',
  throughput: 'throughputPerSecond',
  'success-ratio': 'successRatio',
  requests: 'requests',
  duration: 'durationMs',
  'bytes-in': 'bytesIn',
  'bytes-out': 'bytesOut',
  billed: 'lambda.billedMs',
  init: 'lambda.initMs',
  'max-memory': 'lambda.maxMemoryUsedMb',
}
const latencyKeys: Readonly<Record<string, string>> = {
  mean: 'meanMs',
  'std-dev': 'stdDevMs',
  min: 'minMs',
  max: 'maxMs',
  p999: 'p99.9',
}

/** The text from which a metric was read; null when the tool did not print it. */
export function printedOf(metric: Metric, run: ImportedRun): string | null {
  const key = printedKeys[metric.id]
  if (key !== undefined) return run.printed[key] ?? null
  const latency = leadingLatency(run)
  if (latency === null) return null
  return run.printed[`latencies.${run.latencies.indexOf(latency)}.${latencyKeys[metric.id] ?? metric.id}`] ?? null
}

function shownFigure(metric: Metric, run: StoredRun, label = metric.label): ShownFigure {
  const value = metric.read(run.figures)
  const printed = value === null ? null : printedOf(metric, run.imported)
  const unrounded = value === null ? missingReason(metric, run) : `computed: ${value}`
  return {
    id: metric.id,
    label,
    text: formatMetric(value, metric.unit),
    printed,
    explain: metric.explain,
    title: printed === null ? unrounded : `printed: ${printed}`,
  }
}

const leading = ['requests-per-second', 'p50', 'p99', 'max', 'error-count']
const leadingOfLambda = ['mean', 'billed', 'init', 'max-memory']

/** The figures that lead the page: throughput and tail, or for Lambda what an invocation takes and costs. */
export function leadFigures(run: StoredRun): readonly ShownFigure[] {
  const isLambda = tools[run.tool].counts === 'invocation'
  return (isLambda ? leadingOfLambda : leading).flatMap((id) => {
    const metric = findMetric(id)
    if (!metric) return []
    const label =
      isLambda && id === 'mean' ? 'Duration' : isLambda && id === 'max-memory' ? 'Memory used' : metric.shortLabel
    const figure = shownFigure(metric, run, label)
    // "Req/s" stands above it.
    return [{ ...figure, text: figure.text.replace(/\/s$/, '') }]
  })
}

/** Every figure that the run has, in reading order. */
export function allFigures(run: StoredRun): readonly ShownFigure[] {
  return metrics.filter((metric) => metric.read(run.figures) !== null).map((metric) => shownFigure(metric, run))
}
