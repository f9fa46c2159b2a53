import type { CsvCell } from './csv'
import type { Metric } from '../run/metrics'
import type { RunRow } from '../history/stored-runs'

/** Longest list of runs that is exported. */
export const maxListedRuns = 10_000

/**
 * A list of runs, one per row, in its order: names, judgement, figures as printed or counted (their columns are named
 * with their units), then a column for each label that a run has. Empty cells are gaps.
 */
export function runListRows(rows: readonly RunRow[], metrics: readonly Metric[]): readonly (readonly CsvCell[])[] {
  const labels = [...new Set(rows.flatMap((row) => Object.keys(row.labels)))].sort()
  const head = [
    ...['id', 'time', 'scenario', 'variant', 'environment', 'tool', 'state', 'judgement'],
    ...metrics.map(({ key }) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    ...labels.map((key) => `label:${key}`),
  ]
  return [
    head,
    ...rows.map((row) => [
      ...[row.id, row.orderedAt, row.scenario, row.variant, row.environment, row.tool],
      ...[row.judged?.state ?? null, row.judged?.sentence ?? null],
      ...metrics.map((metric) => metric.read(row.figures)),
      ...labels.map((key) => row.labels[key] ?? null),
    ]),
  ]
}
