import { missingReason } from '@/lib/judge/delta'
import { formatMetric } from '@/lib/format'
import { findMetric, metrics, metricsOf, type Metric } from '@/lib/run/metrics'
import type { ImportedRun } from '@/lib/run/run'
import { steadyMetrics, steadyPartOf } from '@/lib/run/steady-part'
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

/** The text from which a metric was read; null when the tool did not print it. */
function printedOf(metric: Metric, run: ImportedRun): string | null {
  const key = metric.printedKey(run)
  return key === null ? null : (run.printed[key] ?? null)
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

/** The figures that lead the page: throughput and tail, or for Lambda what an invocation takes and costs. */
export function leadFigures(run: StoredRun): readonly ShownFigure[] {
  const isLambda = tools[run.tool].counts === 'invocation'
  return metricsOf(isLambda ? 'lambda-lead' : 'lead').map((metric) => {
    const label = (isLambda ? metric.lambdaLabel : undefined) ?? metric.shortLabel
    const figure = shownFigure(metric, run, label)
    // "Req/s" stands above it.
    return { ...figure, text: figure.text.replace(/\/s$/, '') }
  })
}

/** Every figure that the run has, in reading order. */
export function allFigures(run: StoredRun): readonly ShownFigure[] {
  return metrics.filter((metric) => metric.read(run.figures) !== null).map((metric) => shownFigure(metric, run))
}

/** A figure after the warm-up beside that of the whole run. */
export interface SteadyFigure {
  readonly id: string
  readonly label: string
  /** What it is. */
  readonly explain: string
  /** With unit; – when missing. */
  readonly steady: string
  readonly whole: string
}

/** The figures after the warm-up, in reading order; empty: no part of the run is known to be steady, or all of it is. */
export function steadyFigures(run: StoredRun): readonly SteadyFigure[] {
  const part = steadyPartOf(run.imported)
  if (part === null) return []
  return [...steadyMetrics].flatMap(([id, read]) => {
    const metric = findMetric(id)
    if (metric === null) return []
    const { label, explain, unit } = metric
    return [{ id, label, explain, steady: formatMetric(read(part), unit), whole: shownFigure(metric, run).text }]
  })
}
