import type { JudgedState } from '@/lib/run/judged-states'
import type { Metric } from '@/lib/run/metrics'
import { StripDrawing } from '../charts/plot/rows/strip'
import { prepareStrip, type StripLevel } from '../charts/strip'
import type { DrawnPast } from './shown-runs'

interface Props {
  /** Absent: not known. */
  readonly past: DrawnPast | undefined
  /** State of the run that it ends with; null: not judged yet. */
  readonly state: JudgedState | null
  readonly metric: Pick<Metric, 'shortLabel' | 'unit'>
}

/**
 * The series of a run up to it, in the expected ranges of its levels; nothing if it is the first run. Under a mouse (`StripTip`) each
 * run is read; the range is that of the last one only.
 */
export function PastStrip({ past, state, metric }: Props) {
  if (past === undefined) return null
  const { values, outside, times, commits, limits = [] } = past
  const strip = prepareStrip({
    metricName: metric.shortLabel,
    unit: metric.unit,
    points: values.map((value, at) => {
      const run = { orderedAt: times[at] ?? null, commit: commits[at] ?? null, runs: 1 }
      return { value, isOutside: outside[at] === true, run }
    }),
    levels: levelsOf(past),
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

function levelsOf({ levels, times }: DrawnPast): readonly StripLevel[] {
  return levels.map(({ since, expected }) => {
    // Times are those of minutes.
    const from = since === null ? 0 : times.findIndex((time) => time >= `${since.slice(0, 16)}Z`)
    return { from, value: expected?.level ?? null, low: expected?.low ?? null, high: expected?.high ?? null }
  })
}
