import type { JudgedState } from '@/lib/run/judged-states'
import type { Metric } from '@/lib/run/metrics'
import { StripDrawing } from '../charts/plot/rows/strip'
import { prepareStrip } from '../charts/strip'
import type { DrawnPast } from './shown-runs'

interface Props {
  /** Absent: not known. */
  readonly past: DrawnPast | undefined
  /** State of the run that it ends with; null: not judged yet. */
  readonly state: JudgedState | null
  readonly metric: Pick<Metric, 'shortLabel' | 'unit'>
}

/**
 * The series of a run up to it, in its expected range; nothing if it is the first run. Under a mouse (`StripTip`) each
 * run is read; the range is that of the last one only.
 */
export function PastStrip({ past, state, metric }: Props) {
  if (past === undefined) return null
  const { values, outside, expected, times, commits, limits = [] } = past
  const strip = prepareStrip({
    metricName: metric.shortLabel,
    unit: metric.unit,
    points: values.map((value, at) => {
      const run = { orderedAt: times[at] ?? null, commit: commits[at] ?? null, runs: 1 }
      return { value, isOutside: outside[at] === true, run }
    }),
    levels: expected === null ? [] : [{ from: 0, value: expected.level, low: expected.low, high: expected.high }],
    state,
    limits,
  })
  if (strip === null) return null
  const last = values.length - 1
  const reads = strip.reads && {
    ...strip.reads,
    runs: strip.reads.runs.map((run, at) => (at === last ? run : { ...run, level: -1 })),
  }
  return <StripDrawing strip={{ ...strip, reads }} height={26} />
}
